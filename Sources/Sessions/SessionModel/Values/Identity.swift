package import Basics
package import FoundationEssentials

/// The person that signed in, by a validated ID token (OpenID Connect Core 1.0 sections 2 and 5.1). All texts are the
/// issuer's: untrusted.
package struct Identity: Sendable, Equatable, Codable {
    /// `sub`: 1 to 255 bytes; it means something only together with its issuer.
    package var subject: BankText
    package var name: BankText?
    package var preferredUsername: BankText?
    package var email: BankText?
    package var acr: BankText?
    package var amr: [BankText]
    package var authenticatedAt: Date?

    package init(
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
    package var account: BankText { email ?? preferredUsername ?? name ?? subject }
}
