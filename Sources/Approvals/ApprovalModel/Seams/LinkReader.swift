import Basics

/// Parses the links of one provider. Separate from `Provider`, since a link is parsed before anything may be called.
package protocol LinkReader: Sendable {
    /// Parses a link; nil if it is not one of this provider's. Throws if it is, but cannot be used.
    func read(_ link: LinkText) throws(LinkError) -> Link?
    /// Whether this address is one to which a bank's page redirects with a result. `returnURL` is the address that we
    /// asked for.
    func isRedirect(_ address: String, returnURL: String) -> Bool
}

extension LinkReader {
    package func isRedirect(_ address: String, returnURL: String) -> Bool { false }
}

/// The link readers of all providers.
package struct LinkReaders: Sendable {
    private let all: [any LinkReader]

    package init(_ all: [any LinkReader]) {
        self.all = all
    }

    /// Parses a link as it was scanned or pasted. Throws `unknownScheme` if it is no provider's.
    ///
    /// Mail programs break long links into lines. They are joined if no beginning is a link by itself; otherwise nobody knows where the
    /// link ends, and `broken` is thrown.
    package func read(_ text: String) throws(LinkError) -> Link {
        let lines = text.utf8.count <= LinkText.longest ? text.split(whereSeparator: \.isNewline) : []
        let parts = lines.map { $0.trimmingWhitespace() }.filter { !$0.isEmpty }
        guard parts.count > 1 else { return try readLine(text) }
        // A beginning that is a link by itself may be the whole link, and the rest something else.
        guard (1..<parts.count).allSatisfy({ (try? readLine(parts[..<$0].joined())) == nil }) else {
            throw LinkError(.broken, "the link is broken into lines, and where it ends is not certain")
        }
        return try readLine(parts.joined())
    }

    private func readLine(_ text: String) throws(LinkError) -> Link {
        let link = try LinkText(text)
        for reader in all {
            if let read = try reader.read(link) { return read }
        }
        throw LinkError(.unknownScheme, "links of the scheme \(link.scheme.prefix(32)) are not for this program")
    }

    /// Whether this address is one to which a bank's page redirects.
    package func isRedirect(_ address: String, returnURL: String) -> Bool {
        all.contains { $0.isRedirect(address, returnURL: returnURL) }
    }
}
