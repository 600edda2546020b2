package import Basics
package import FoundationEssentials
package import ApprovalModel
package import Keys

/// The answer of `status`, `unlock`, `lock`, and every `pin` command.
package struct StatusPayload: Codable, Sendable, Equatable {
    package struct Agent: Codable, Sendable, Equatable {
        package var running: Bool
        @OrNull package var version: String?

        package init(version: String?) {
            running = version != nil
            self.version = version
        }
    }

    package var locked: Bool
    package var pinSet: Bool
    /// Wrong PINs until the keys are destroyed, 9 to 0.
    package var triesLeft: Int
    @OrNull package var blockedUntil: Timestamp?
    /// Whether a running agent holds keys and tokens, with which it goes on polling even while it is locked.
    package var keysInMemory: Bool
    /// How many requests wait for a decision; null if that is not known: without an agent, while the agent is shut, and
    /// before the banks' first answers.
    @OrNull package var waiting: Int?
    package var agent: Agent
    /// How many connections are no longer known to their banks and not yet reconnected or revoked; present only if
    /// there are any. Their names need the PIN.
    package var endedConnections: Int?
    /// Which items of the keyring are damaged or gone, as far as that can be seen without the PIN; present only then.
    /// Without an intact device secret no PIN opens the vault.
    package var damaged: String?

    /// The status if no agent runs.
    package init(_ status: PINStatus, _ connections: ConnectionCounts, now: Date) {
        endedConnections = connections.ended > 0 ? connections.ended : nil
        locked = true
        pinSet = status.isSet
        triesLeft = status.triesLeft
        blockedUntil = status.blockedFor.map { Timestamp(now.addingTimeInterval(Double($0))) }
        keysInMemory = false
        agent = Agent(version: nil)
    }

    /// Why it matters that the agent is shut; the same words everywhere.
    package static let unaskedWords = "payments you make now will not appear here"
}
