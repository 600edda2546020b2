import Basics
public import FoundationEssentials

/// What a program may have of one session, by the person's word.
public struct ProgramGrant: Sendable, Codable, Equatable {
    /// When tokens are handed out.
    public enum Use: String, Sendable, Codable, CaseIterable {
        /// While sessions are at hand.
        case open
        /// From a PIN on until the agent shuts, also when nobody is at the computer and while the screen is locked.
        case unlocked
        /// Each time the person enters the PIN.
        case asked
    }

    /// Eight hexadecimal digits.
    public let id: String
    public var program: Program
    public var session: SessionID
    public var scopes: Scopes
    public var resources: [ResourceIndicator]
    /// Which tokens; at least one.
    public var kinds: [TokenKind] {
        get { ownKinds ?? [.access] }
        set { ownKinds = newValue }
    }
    // Earlier rows do not have it.
    private var ownKinds: [TokenKind]?
    public var use: Use
    public var isSuspended = false
    public var createdAt: Date
    /// Nil for no end.
    public var expiresAt: Date?
    /// To the hour.
    public var lastUsedAt: Date?

    public init(
        id: String, program: Program, session: SessionID, scopes: Scopes, resources: [ResourceIndicator],
        kinds: [TokenKind] = [.access], use: Use, at date: Date, until end: Date? = nil
    ) {
        self.id = id
        self.program = program
        self.session = session
        self.scopes = scopes
        self.resources = resources
        ownKinds = kinds
        self.use = use
        createdAt = date
        expiresAt = end
    }

    public func isOver(at date: Date) -> Bool { expiresAt.map { $0 <= date } ?? false }
}
