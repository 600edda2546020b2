public import Basics
public import FoundationEssentials

/// The person that signed in, by a validated ID token (OpenID Connect Core 1.0 sections 2 and 5.1). All texts are the
/// issuer's: untrusted.
public struct Identity: Sendable, Equatable, Codable {
    /// `sub`: 1 to 255 bytes; it means something only together with its issuer.
    public var subject: BankText
    public var name: BankText?
    public var preferredUsername: BankText?
    public var email: BankText?
    public var acr: BankText?
    public var amr: [BankText]
    public var authenticatedAt: Date?

    public init(
        subject: BankText, name: BankText? = nil, preferredUsername: BankText? = nil, email: BankText? = nil,
        acr: BankText? = nil, amr: [BankText] = [], authenticatedAt: Date? = nil
    ) {
        self.subject = subject
        self.name = name
        self.preferredUsername = preferredUsername
        self.email = email
        self.acr = acr
        self.amr = amr
        self.authenticatedAt = authenticatedAt
    }

    /// The account's name for the person.
    public var account: BankText { email ?? preferredUsername ?? name ?? subject }
}
