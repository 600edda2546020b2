package import Basics

/// The reason of a denial, as far as a provider can report it to its bank.
package enum DenialReason: String, Sendable, Codable, CaseIterable {
    /// Somebody else began it.
    case notMe = "not-me"
    /// The person began it, but no longer wants it.
    case cancelled
}

/// The person's complete answer to one authorization.
package struct Reply: Sendable, Equatable {
    package var verdict: Verdict
    /// The option that the person chose, one of `Authorization.options`.
    package var option: BankText?
    /// One of `Authorization.denialReasons`.
    package var reason: DenialReason?
    package var position: Geolocation?

    package init(
        _ verdict: Verdict, option: BankText? = nil, reason: DenialReason? = nil, at position: Geolocation? = nil
    ) {
        self.verdict = verdict
        self.option = option
        self.reason = reason
        self.position = position
    }
}

/// The bank's answer to a decision.
package struct DecisionAnswer: Sendable {
    /// The code that the person types at the other side to finish the approved request. It is shown once, and never
    /// stored.
    package enum Code: Sendable, Equatable {
        /// The code, and the bank's instructions for it.
        case text(BankText, message: BankText?)
        /// The bank sent a code that nobody could type.
        case unreadable
    }

    package var outcome: Outcome
    package var code: Code?
    /// The connection's new standing; nil if it was active and stays as it is.
    package var standing: Standing?

    package init(_ outcome: Outcome, code: Code? = nil, standing: Standing? = nil) {
        self.outcome = outcome
        self.code = code
        self.standing = standing
    }
}
