import Basics
import FoundationEssentials
package import Keys
package import Ledger
package import SessionModel

extension SealedSessions: NoteStore {
    static let noteTableName = "pending_note"

    /// How many notes wait for the log. Counting them needs no key.
    package static func pendingNotes(in database: StateDatabase) throws -> Int { try database.rows(of: noteTableName) }

    package func add(_ note: SessionNote) throws { try apply([], noting: note) }

    package func pendingNotes() throws -> [SessionNote] { try noteTable.values() }

    package func countOfPendingNotes() throws -> Int { try Self.pendingNotes(in: database) }

    package func forget(_ note: SessionNote) throws { try apply([noteTable.removing(note.id)]) }
}

/// Notes of sessions in the log of decisions, as JSON.
package struct SealedNotes: NoteLog {
    private let chain: any NoteChain

    package init(_ chain: any NoteChain) { self.chain = chain }

    package func record(_ note: SessionNote) throws {
        try chain.record(note: Array(try JSONEncoder().encode(note)), id: note.id, at: note.at)
    }

    /// Leaves out a note that cannot be read; `verify` reports an event that was changed.
    package func notes() throws -> [LoggedNote] {
        try chain.notes().compactMap { logged in
            guard let note = try? JSONDecoder().decode(SessionNote.self, from: Data(logged.content)) else { return nil }
            return LoggedNote(note, hash: logged.hash)
        }
    }

    package func verify() throws -> LogVerdict { try chain.verify() }
}
