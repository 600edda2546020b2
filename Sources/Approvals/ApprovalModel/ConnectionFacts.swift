package import Basics
package import FoundationEssentials

/// Facts about a connection that only its provider knows, for people. A provider gives those that its wire has.
package struct ConnectionFacts: Sendable, Equatable {
    /// Where the bank helps.
    package var supportEmail: BankText?
    /// How many more wrong responses the bank accepts, if it said so. Unrelated to the tries of the PIN.
    package var attemptsLeft: Int?
    /// When the bank said so.
    package var attemptsLeftAt: Date?
    /// Until when the bank accepts no response; nil if it accepts them, or never will.
    package var blockedUntil: Date?
    /// Whether the bank wants a fingerprint or face before each answer; here it is the PIN.
    package var wantsBiometrics: Bool

    package init(
        supportEmail: BankText? = nil, attemptsLeft: Int? = nil, attemptsLeftAt: Date? = nil,
        blockedUntil: Date? = nil, wantsBiometrics: Bool = false
    ) {
        self.supportEmail = supportEmail
        self.attemptsLeft = attemptsLeft
        self.attemptsLeftAt = attemptsLeftAt
        self.blockedUntil = blockedUntil
        self.wantsBiometrics = wantsBiometrics
    }
}
