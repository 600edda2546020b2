public import Basics

/// Why something is denied, in words that every provider may know.
public enum DenialReason: String, Sendable, Codable, CaseIterable {
    /// Somebody else began it.
    case notMe = "not-me"
    /// The person began it, and wants it no more.
    case cancelled
}

/// What the person answers to one authorization, with all that goes with it.
public struct Reply: Sendable, Equatable {
    public var verdict: Verdict
    /// Of `Authorization.options`, the one that the person chose, as the bank sent it.
    public var option: BankText?
    /// One of `Authorization.denialReasons`.
    public var reason: DenialReason?
    public var position: Geolocation?

    public init(
        _ verdict: Verdict, option: BankText? = nil, reason: DenialReason? = nil, at position: Geolocation? = nil
    ) {
        self.verdict = verdict
        self.option = option
        self.reason = reason
        self.position = position
    }
}

/// What a bank answers to a decision.
public struct DecisionAnswer: Sendable, Equatable {
    /// What the person types at the other side, to finish what was approved. It is told once, and kept nowhere.
    public enum Code: Sendable, Equatable {
        /// With what the bank says to do with it.
        case text(BankText, message: BankText?)
        /// The bank sent one that nobody could type.
        case unreadable
    }

    public var outcome: Outcome
    public var code: Code?
    /// How the connection stands from now on; nil for as before, where before was well.
    public var standing: Standing?

    public init(_ outcome: Outcome, code: Code? = nil, standing: Standing? = nil) {
        self.outcome = outcome
        self.code = code
        self.standing = standing
    }
}
