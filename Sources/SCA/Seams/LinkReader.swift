import Basics

/// Reads the links of one provider. Apart from the provider, since a link is read before anything may be called.
public protocol LinkReader: Sendable {
    /// What the link asks for; nil when it is not of this provider. Throws for one that is its own and cannot be used.
    func read(_ link: LinkText) throws(LinkError) -> Link?
    /// Whether this address is one that a bank's page leads back to, with something to say. `returnURL`: where we asked it to
    /// lead.
    func isRedirect(_ address: String, returnURL: String) -> Bool
}

extension LinkReader {
    public func isRedirect(_ address: String, returnURL: String) -> Bool { false }
}

/// The links of all providers.
public struct LinkReaders: Sendable {
    private let all: [any LinkReader]

    public init(_ all: [any LinkReader]) {
        self.all = all
    }

    /// Reads a link as it was scanned or pasted. Throws `unknownScheme` for one that is no provider's.
    public func read(_ text: String) throws(LinkError) -> Link {
        let link = try LinkText(text)
        for reader in all {
            if let read = try reader.read(link) { return read }
        }
        throw LinkError(.unknownScheme, "links of the scheme \(link.scheme.prefix(32)) are not for this program")
    }

    /// Reads a link that connects a bank.
    public func connect(_ text: String) throws -> ConnectLink {
        guard case .connect(let link) = try read(text) else {
            throw Failure.usage("this link is an instant action, not a bank to connect", hint: "countersign act")
        }
        return link
    }

    /// Reads a link that stands for an instant action.
    public func action(_ text: String) throws -> ActionLink {
        guard case .action(let action) = try read(text) else {
            throw Failure.usage("this link connects a bank", hint: "countersign enroll")
        }
        return action
    }

    /// Whether a bank's page led to this address.
    public func isRedirect(_ address: String, returnURL: String) -> Bool {
        all.contains { $0.isRedirect(address, returnURL: returnURL) }
    }
}
