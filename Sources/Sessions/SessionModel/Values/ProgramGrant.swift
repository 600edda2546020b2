import Basics
package import FoundationEssentials

/// A program's permission to have tokens of one session, given by the person.
package struct ProgramGrant: Sendable, Codable, Equatable {
    /// When tokens are handed out.
    package enum Use: String, Sendable, Codable, CaseIterable {
        /// While sessions are at hand.
        case open
        /// From a PIN on until the agent shuts, also when nobody is at the computer and while the screen is locked.
        case unlocked
        /// Each time the person enters the PIN.
        case asked
    }

    /// Eight hexadecimal digits.
    package let id: String
    package var program: Program
    package var session: SessionID
    package var scopes: Scopes
    package var resources: [ResourceIndicator]
    /// Which tokens; at least one.
    package var kinds: [TokenKind] {
        get { ownKinds ?? [.access] }
        set { ownKinds = newValue }
    }
    // Earlier rows do not have it.
    private var ownKinds: [TokenKind]?
    package var use: Use
    package var createdAt: Date
    /// Nil for no end.
    package var expiresAt: Date?
    /// To the minute.
    package var lastUsedAt: Date?
    /// How many tokens the grant gave, since tokens are counted.
    package private(set) var uses: Int {
        get { ownUses ?? 0 }
        set { ownUses = newValue }
    }
    /// How many uses the log has, and since when.
    private(set) var noted: NotedUses?
    // Earlier rows do not have it.
    private var ownUses: Int?

    struct NotedUses: Codable, Equatable {
        var uses: Int
        var at: Date
    }

    package init(
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

    /// Counts tokens that the grant gave. Returns how many the log must record now: the first at once, later ones at
    /// most once a day. Nil for none.
    package mutating func count(_ more: Int, at date: Date) -> Int? {
        uses += more
        if more > 0 { lastUsedAt = date }
        let (told, last) = (noted?.uses ?? 0, noted?.at ?? .distantPast)
        guard uses > told, date.timeIntervalSince(last) >= 86400 else { return nil }
        noted = NotedUses(uses: uses, at: date)
        return uses - told
    }

    /// Called when the grant is removed. Returns how many tokens the log must still record; nil for none.
    package mutating func countRest(at date: Date) -> Int? {
        let rest = uses - (noted?.uses ?? 0)
        guard rest > 0 else { return nil }
        noted = NotedUses(uses: uses, at: date)
        return rest
    }

    package func isOver(at date: Date) -> Bool { expiresAt.map { $0 <= date } ?? false }
}
