package import Basics

/// A person's profile in an issuer's UserInfo (OpenID Connect Core 1.0 sections 5.1 and 5.3.2). All texts are the
/// issuer's: untrusted.
package struct UserProfile: Sendable, Equatable {
    /// It counts only for the person with this `sub` in the ID token.
    package var subject: BankText
    package var name: BankText?
    package var preferredUsername: BankText?
    package var email: BankText?

    package init(
        subject: BankText, name: BankText? = nil, preferredUsername: BankText? = nil, email: BankText? = nil
    ) {
        self.subject = subject
        self.name = name
        self.preferredUsername = preferredUsername
        self.email = email
    }
}

extension Identity {
    /// The same person, updated by a profile, which must be of the same subject. Claims that the profile lacks stay.
    package func known(by profile: UserProfile) -> Identity {
        var identity = self
        identity.name = profile.name ?? name
        identity.preferredUsername = profile.preferredUsername ?? preferredUsername
        identity.email = profile.email ?? email
        return identity
    }
}
