import Basics
package import Keys
package import Ledger
package import SessionModel

/// Sessions, their tokens, sites, owed revocations and the grants of programs: tables of the ledger, sealed under the sessions key.
package struct SealedSessions: SessionStore {
    let database: StateDatabase
    let sealer: any SecretSealer
    private let sessionTable: SecretTable<SignIn>
    private let tokenTable: SecretTable<TokenSet>
    /// Not a table of the database: it only seals rescued tokens, which are kept beside the database.
    let rescueTable: SecretTable<TokenSet>
    private let owedTable: SecretTable<OwedRevocation>
    private let siteTable: SecretTable<Site>
    private let grantTable: SecretTable<StoredGrant>
    let noteTable: SecretTable<SessionNote>

    package init(_ database: StateDatabase, sealer: any SecretSealer) {
        self.database = database
        self.sealer = sealer
        // An agent reads these for each token that it hands out.
        sessionTable = SecretTable("session", in: database, sealer: sealer, keepsOpened: true)
        tokenTable = SecretTable("token", in: database, sealer: sealer, keepsOpened: true)
        rescueTable = SecretTable("rescue", in: database, sealer: sealer)
        owedTable = SecretTable("owed", in: database, sealer: sealer)
        siteTable = SecretTable("site", in: database, sealer: sealer, keepsOpened: true)
        grantTable = SecretTable("permit", in: database, sealer: sealer, keepsOpened: true)
        noteTable = SecretTable(Self.noteTableName, in: database, sealer: sealer)
    }

    /// Counts the sessions, and the tokens and registrations that issuers must still end. Before the PIN is entered, nothing else
    /// is known.
    package static func counts(in database: StateDatabase) throws -> (sessions: Int, owed: Int) {
        (try database.rows(of: "session"), try database.rows(of: "owed"))
    }

    package func sessions() throws -> [SignIn] { try sessionTable.values().sorted { $0.name < $1.name } }

    package func tokens(of session: SessionID) throws -> TokenSet? {
        do { return try tokenTable.value(session.text) } catch StoreError.damaged {
            return .damaged
        }
    }

    package func damagedRows() throws -> [SessionRow: Int] {
        try Dictionary(
            uniqueKeysWithValues: SessionRow.allCases.compactMap { kind in
                let count =
                    switch kind {
                    case .session: try sessionTable.damagedRows()
                    case .tokens: try tokenTable.damagedRows()
                    case .site: try siteTable.damagedRows()
                    case .grant: try grantTable.damagedRows()
                    case .owed: try owedTable.damagedRows()
                    case .note: try noteTable.damagedRows()
                    case .departure: try Departures(database).damagedRows()
                    }
                return count > 0 ? (kind, count) : nil
            })
    }

    package func add(_ session: SignIn, with tokens: TokenSet, noting note: SessionNote?) throws -> SignIn {
        try database.lock.hold {
            var stored = session
            stored.name = session.name.free(among: Set(try sessions().map(\.name)))
            var note = note
            note?.session = stored.name
            try apply(
                [sessionTable.adding(stored, as: stored.id.text), tokenTable.adding(tokens, as: stored.id.text)],
                noting: note)
            return stored
        }
    }

    package func replace(_ session: SignIn, with tokens: TokenSet, noting note: SessionNote?) throws {
        try apply(
            [sessionTable.replacing(session, as: session.id.text), tokenTable.replacing(tokens, as: session.id.text)],
            noting: note)
        try? forgetRescued(session.id)
    }

    package func update(
        _ session: SessionID, _ change: (inout SignIn, _ others: [SignIn]) throws -> Void
    ) throws -> SignIn {
        try database.lock.hold {
            let all = try sessions()
            guard var changed = all.first(where: { $0.id == session }) else {
                throw StoreError.notFound("this session is gone meanwhile")
            }
            try change(&changed, all.filter { $0.id != session })
            try apply([sessionTable.replacing(changed, as: session.text)])
            return changed
        }
    }

    package func write(_ tokens: TokenSet, of session: SessionID, noting note: SessionNote?) throws {
        try database.lock.hold {
            try EndedMeanwhile.demand(tokens, over: self.tokens(of: session))
            try apply([tokenTable.replacing(tokens, as: session.text)], noting: note)
        }
    }

    package func end(
        _ session: SessionID,
        _ change: (SignIn, TokenSet) throws -> (TokenSet, owing: [OwedRevocation], noting: SessionNote)?
    ) throws -> Bool {
        // End the tokens of the last renewal too, even if they could not be written.
        let present = try tokens(of: session)
        let newest = try newestTokens(of: session)
        let isRescued = newest?.generation != present?.generation
        let isEnded = try database.lock.hold {
            guard let found = try sessions().first(where: { $0.id == session }),
                var tokens = try self.tokens(of: session)
            else { return false }
            if isRescued, let newest, tokens.mark == present?.mark { tokens = newest }
            guard let (ended, owing, note) = try change(found, tokens) else { return false }
            try apply(
                [tokenTable.replacing(ended, as: session.text)] + owing.map { try owedTable.adding($0, as: $0.id) },
                noting: note)
            return true
        }
        if isEnded, isRescued { try? forgetRescued(session) }
        return isEnded
    }

    package func remove(_ session: SessionID, owing: [OwedRevocation], noting note: SessionNote?) throws {
        try database.lock.hold {
            try apply(
                [sessionTable.removing(session.text), tokenTable.removing(session.text)]
                    + sites().filter { $0.session == session }.map { try siteTable.removing($0.id.text) }
                    + grants().filter { $0.session == session }.map { try grantTable.removing($0.id) }
                    + removingSuspended()
                    + owing.map { try owedTable.adding($0, as: $0.id) }, noting: note)
        }
        try? forgetRescued(session)
        NamedLock.remove(try lockName(session), in: database.directory)
    }

    package func owe(_ revocations: [OwedRevocation]) throws {
        guard !revocations.isEmpty else { return }
        try apply(revocations.map { try owedTable.adding($0, as: $0.id) })
    }

    package func owed() throws -> [OwedRevocation] { try owedTable.values() }

    package func settle(_ revocation: OwedRevocation) throws { try apply([owedTable.removing(revocation.id)]) }

    package func sites() throws -> [Site] { try siteTable.values().sorted { $0.rule.text < $1.rule.text } }

    package func add(_ site: Site) throws {
        try database.lock.hold {
            if let taken = try sites().first(where: { $0.rule == site.rule }) { throw SessionError.ruleTaken(taken) }
            try apply([siteTable.adding(site, as: site.id.text)])
        }
    }

    package func remove(_ site: SiteID) throws { try apply([siteTable.removing(site.text)]) }

    package func takeTurn(of session: SessionID) throws -> Turn {
        do {
            return .taken(FileTurn(try NamedLock(try lockName(session), in: database.directory)))
        } catch let error as NamedLock.AlreadyLocked {
            return .held(by: error.by)
        }
    }

    func apply(_ changes: [TableChange], noting note: SessionNote? = nil) throws {
        let noted = try note.map { [try noteTable.adding($0, as: $0.id)] } ?? []
        try database.apply(changes + noted, sealedBy: sealer)
    }

    /// The name reveals nothing about the session.
    private func lockName(_ session: SessionID) throws -> String {
        "renew-" + hexadecimal(Array(try sealer.authenticate(Array(session.text.utf8), for: "renew").prefix(8)))
    }
}

private final class FileTurn: HeldTurn {
    private let lock: NamedLock

    init(_ lock: NamedLock) { self.lock = lock }

    func end() { lock.end() }
}

extension SealedSessions: GrantStore {
    package func grants() throws -> [ProgramGrant] {
        try grantTable.values().compactMap(\.grant).sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    package func add(_ grant: ProgramGrant, replacing former: [String], noting note: SessionNote?) throws {
        try database.lock.hold {
            guard try sessions().contains(where: { $0.id == grant.session }) else {
                throw StoreError.notFound("the session is gone meanwhile")
            }
            try apply(
                [grantTable.adding(StoredGrant(grant), as: grant.id)] + former.map(grantTable.removing)
                    + removingSuspended(), noting: note)
        }
    }

    package func change(_ id: String, _ body: (inout ProgramGrant) throws -> SessionNote?) throws -> ProgramGrant {
        try database.lock.hold {
            guard var grant = try grantTable.value(id)?.grant else { throw StoreError.notFound("the grant is gone") }
            let note = try body(&grant)
            try apply([grantTable.replacing(StoredGrant(grant), as: id)] + removingSuspended(), noting: note)
            return grant
        }
    }

    package func removeGrant(_ id: String, noting note: SessionNote?) throws {
        try apply([grantTable.removing(id)] + removingSuspended(), noting: note)
    }

    private func removingSuspended() throws -> [TableChange] {
        try grantTable.values().filter { $0.grant == nil }.map { try grantTable.removing($0.id) }
    }
}
