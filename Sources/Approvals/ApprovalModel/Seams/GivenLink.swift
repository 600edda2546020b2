/// A link as a person gave it. It is parsed once, where it enters this process; the agent's socket carries its text.
package struct GivenLink: Sendable, Equatable {
    package let text: String
    /// Nil where it came over the socket.
    private let link: Link?

    /// A link that was not parsed yet.
    package init(_ text: String) { (self.text, link) = (text, nil) }

    /// Parses the link.
    package init(_ text: String, by readers: LinkReaders) throws(LinkError) {
        self.text = text
        link = try readers.read(text)
    }

    /// The parsed link.
    package func read(by readers: LinkReaders) throws(LinkError) -> Link {
        if let link { return link }
        return try readers.read(text)
    }

    package static func == (a: Self, b: Self) -> Bool { a.text == b.text }
}

extension GivenLink: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
