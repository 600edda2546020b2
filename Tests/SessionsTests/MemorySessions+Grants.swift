import Basics
import Keys
import Testing

@testable import SessionModel

extension MemorySessions: GrantStore {
    func grants() throws -> [ProgramGrant] { state.withLock { $0.grants } }

    func add(_ grant: ProgramGrant, replacing former: [String], noting note: SessionNote?) throws {
        state.withLock { state in
            state.grants.removeAll { former.contains($0.id) }
            state.grants.append(grant)
            state.notes += [note].compactMap(\.self)
        }
    }

    func change(_ id: String, _ body: (inout ProgramGrant) throws -> SessionNote?) throws -> ProgramGrant {
        try state.withLock { state in
            guard let index = state.grants.firstIndex(where: { $0.id == id }) else {
                throw StoreError.notFound("gone")
            }
            let note = try body(&state.grants[index])
            state.notes += [note].compactMap(\.self)
            return state.grants[index]
        }
    }

    func removeGrant(_ id: String, noting note: SessionNote?) throws {
        state.withLock { state in
            state.grants.removeAll { $0.id == id }
            state.notes += [note].compactMap(\.self)
        }
    }
}

extension MemorySessions: NoteStore {
    func add(_ note: SessionNote) throws { state.withLock { $0.notes.append(note) } }
    func pendingNotes() throws -> [SessionNote] { state.withLock { $0.notes } }
    func countOfPendingNotes() throws -> Int { state.withLock { $0.notes.count } }
    func forget(_ note: SessionNote) throws { state.withLock { $0.notes.removeAll { $0.id == note.id } } }
}

extension SessionNote {
    /// Where a test does not look at notes.
    static func sample() throws -> SessionNote {
        let name = try #require(SessionName("fern"))
        return SessionNote(id: "n", at: .distantPast, .ended, session: name, host: "fern.example", scopes: .none)
    }
}

/// What tests need of a store, without notes.
extension SessionStore {
    func add(_ session: SignIn, with tokens: TokenSet) throws -> SignIn {
        try add(session, with: tokens, noting: nil)
    }
    func replace(_ session: SignIn, with tokens: TokenSet) throws { try replace(session, with: tokens, noting: nil) }
    func remove(_ session: SessionID, owing: [OwedRevocation]) throws {
        try remove(session, owing: owing, noting: nil)
    }
}

extension GrantStore {
    func add(_ grant: ProgramGrant, replacing former: [String]) throws {
        try add(grant, replacing: former, noting: nil)
    }
}
