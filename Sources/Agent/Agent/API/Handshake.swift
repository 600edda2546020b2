public import Basics

/// An agent's description of itself. A command checks by it that the agent has this version and serves this home.
public struct Handshake: Codable, Sendable, Equatable {
    /// The state of the agent's lock.
    public enum State: String, Codable, Sendable {
        /// Content may be shown.
        case open
        /// Content is wiped; the agent goes on polling with the keys in memory.
        case hidden
        /// Content and keys are wiped; the agent asks no bank.
        case shut
    }

    /// How far sessions can be reached.
    public enum Sessions: String, Codable, Sendable {
        /// The person gets tokens, and programs get the tokens that their grants allow.
        case atHand = "at_hand"
        /// Only programs get tokens, by grants that are good at any time.
        case asleep
        /// Nobody gets tokens.
        case shut
    }

    /// The version of the API.
    public static let api = 1

    /// The version of the program.
    public var version: String
    /// `Handshake.api` of that program.
    public var api: Int
    /// The random id of the home's vault; null while no PIN is set.
    @OrNull public var vault: String?
    public var pid: Int32
    public var state: State
    /// How many authorizations wait; null when that is not known.
    @OrNull public var waiting: Int?

    /// Nil from an agent of an earlier version.
    public var sessions: Sessions?

    public init(
        version: String, vault: String?, pid: Int32, state: State, waiting: Int?, sessions: Sessions
    ) {
        self.version = version
        api = Self.api
        self.vault = vault
        self.pid = pid
        self.state = state
        self.waiting = waiting
        self.sessions = sessions
    }
}
