public import Basics
public import FoundationEssentials

/// `status`, `unlock`, `lock`, and every `pin` command.
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
    /// Until the keys are destroyed: 9 to 0.
    public var triesLeft: Int
    @OrNull public var blockedUntil: String?
    /// Whether a running agent holds keys and tokens, so that it goes on asking the banks: also while it is locked.
    public var keysInMemory: Bool
    /// How many requests wait for a decision; null where that is not known: without an agent, in one that holds nothing, and
    /// before the first answer of the banks.
    @OrNull public var waiting: Int?
    public var agent: Agent
    /// How many connections their banks no longer know, until they are settled here; only there when there are some. Which ones
    /// is told after the PIN.
    public var endedConnections: Int?

    /// Where no agent runs.
    public init(_ status: PINStatus, ended: Int, now: Date) {
        endedConnections = ended > 0 ? ended : nil
        locked = true
        pinSet = status.isSet
        triesLeft = status.triesLeft
        blockedUntil = status.blockedFor.map { Timestamp.format(now.addingTimeInterval(Double($0))) }
        keysInMemory = false
        agent = Agent(version: nil)
    }
}
