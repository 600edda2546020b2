public import Basics

/// What an agent says of itself before anything else: is it of this version, and of this home?
public struct Handshake: Codable, Sendable, Equatable {
    /// How far it is open.
    public enum State: String, Codable, Sendable {
        /// Content may be shown.
        case open
        /// Content is wiped; it polls with what it holds in memory.
        case hidden
        /// All is wiped.
        case shut
    }

    /// The routes that are spoken here.
    public static let api = 1

    /// Of the program.
    public var version: String
    /// `Handshake.api` of that program.
    public var api: Int
    /// The random id of the home's vault; null while no PIN is set.
    @OrNull public var vault: String?
    public var pid: Int32
    public var state: State
    /// How many authorizations wait; null when that is not known.
    @OrNull public var waiting: Int?

    public init(version: String, vault: String?, pid: Int32, state: State, waiting: Int?) {
        self.version = version
        api = Self.api
        self.vault = vault
        self.pid = pid
        self.state = state
        self.waiting = waiting
    }
}
