/// Text as a bank (or any other stranger) sent it: hostile until `Display` has made it safe.
///
/// It has no description on purpose, so that it cannot slip into a message by interpolation: a person sees it only as
/// `DisplayText`.
public struct BankText: Sendable, Hashable, Codable {
    /// The characters as received. Never write these to a terminal, a prompt or a notification.
    public let untrusted: String

    public init(_ untrusted: String) {
        self.untrusted = untrusted
    }

    public init(from decoder: any Decoder) throws {
        untrusted = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(untrusted)
    }
}

extension BankText: CustomStringConvertible, CustomReflectable {
    /// Only how long it is: see the type's comment.
    public var description: String { "<bank text, \(untrusted.utf8.count) bytes>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
