import Basics
package import Keys

/// The log in which notes of sessions are kept for good: the log of decisions. Its key is there only while the vault is open;
/// otherwise every function throws.
package protocol NoteLog: Sendable {
    /// Appends a note, with the time when it was made, unless the log has it already. On disk when it returns.
    func record(_ note: SessionNote) throws
    /// All notes, in the order of the log.
    func notes() throws -> [LoggedNote]
    /// Checks the whole log.
    func verify() throws -> LogVerdict
}

extension NoteLog {
    /// Moves the waiting notes into the log, with the time when each was made. No note is lost or doubled, even if the process dies
    /// on the way or another process moves them at the same time.
    package func take(from store: any NoteStore) throws {
        for note in try store.pendingNotes() {
            try record(note)
            try store.forget(note)
        }
    }
}

/// A note that the log has.
package struct LoggedNote: Sendable {
    package var note: SessionNote
    /// The MAC of the log up to this note, in 64 hexadecimal digits.
    package var hash: String

    package init(_ note: SessionNote, hash: String) {
        self.note = note
        self.hash = hash
    }
}

/// Where notes wait for the log. Each change writes its note in the same step (`SessionStore`, `GrantStore`). So no note is lost,
/// even by a kill, whether the log's key is there or not.
package protocol NoteStore: Sendable {
    /// Keeps a note of an event that changes nothing else.
    func add(_ note: SessionNote) throws
    /// The waiting notes, in the order in which they were made.
    func pendingNotes() throws -> [SessionNote]
    /// How many notes wait.
    func countOfPendingNotes() throws -> Int
    /// Removes a note that the log has, if it is still there.
    func forget(_ note: SessionNote) throws
}
