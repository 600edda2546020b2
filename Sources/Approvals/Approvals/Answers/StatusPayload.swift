public import Basics
public import FoundationEssentials
public import SCA

/// The answer of `status`, `unlock`, `lock`, and every `pin` command.
public struct StatusPayload: Codable, Sendable, Equatable {
    public struct Agent: Codable, Sendable, Equatable {
        public var running: Bool
        @OrNull public var version: String?

        public init(version: String?) {
            running = version != nil
            self.version = version
        }
    }

    public var locked: Bool
    public var pinSet: Bool
    /// Wrong PINs until the keys are destroyed, 9 to 0.
    public var triesLeft: Int
    @OrNull public var blockedUntil: Timestamp?
    /// Whether a running agent holds keys and tokens, with which it goes on polling even while it is locked.
    public var keysInMemory: Bool
    /// How many requests wait for a decision; null if that is not known: without an agent, while the agent is shut, and
    /// before the banks' first answers.
    @OrNull public var waiting: Int?
    public var agent: Agent
    /// How many connections are no longer known to their banks and not yet reconnected or revoked; present only if
    /// there are any. Their names need the PIN.
    public var endedConnections: Int?
    /// Which items of the keyring are damaged or gone, as far as that can be seen without the PIN; present only then.
    /// Without an intact device secret no PIN opens the vault.
    public var damaged: String?

    /// The status if no agent runs.
    public init(_ status: PINStatus, _ connections: ConnectionCounts, now: Date) {
        endedConnections = connections.ended > 0 ? connections.ended : nil
        locked = true
        pinSet = status.isSet
        triesLeft = status.triesLeft
        blockedUntil = status.blockedFor.map { Timestamp(now.addingTimeInterval(Double($0))) }
        keysInMemory = false
        agent = Agent(version: nil)
    }

    /// Why it matters that the agent is shut; the same words everywhere.
    public static let unaskedWords = "payments you make now will not appear here"
}
