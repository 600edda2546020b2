package import Basics

/// An agent's description of itself. A command checks by it that the agent has this version and serves this home.
package struct Handshake: Codable, Sendable, Equatable {
    /// The state of the agent's lock.
    package enum State: String, Codable, Sendable {
        /// Content may be shown.
        case open
        /// Content is wiped; the agent goes on polling with the keys in memory.
        case hidden
        /// Content and keys are wiped; the agent asks no bank.
        case shut
    }

    /// How far sessions can be reached.
    package enum Sessions: String, Codable, Sendable {
        /// The person gets tokens, and programs get the tokens that their grants allow.
        case atHand = "at_hand"
        /// Only programs get tokens, by grants that are good at any time.
        case asleep
        /// Nobody gets tokens.
        case shut
    }

    /// The version of the API.
    package static let api = 1

    /// The version of the program.
    package var version: String
    /// `Handshake.api` of that program.
    package var api: Int
    /// The random id of the home's vault; null while no PIN is set.
    @OrNull package var vault: String?
    package var pid: Int32
    package var state: State
    /// How many authorizations wait; null when that is not known.
    @OrNull package var waiting: Int?

    /// Nil from an agent of an earlier version.
    package var sessions: Sessions?

    package init(
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
