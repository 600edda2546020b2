package import FoundationEssentials

/// Notes in the log of decisions, as bytes. Each note is one more event of the same chain, so `verify` notices if one is changed,
/// removed or moved.
package protocol NoteChain: Sendable {
    /// Appends a note that was made at `at`, unless the log already has one with this id. The note is on disk when this returns.
    func record(note: [UInt8], id: String, at: Date) throws
    /// All notes, in the order of the log.
    func notes() throws -> [ChainedNote]
    /// Checks the whole log.
    func verify() throws -> LogVerdict
}

/// One note of the log.
package struct ChainedNote: Sendable {
    package var content: [UInt8]
    package var at: Date
    /// The MAC of the log up to this note, in 64 hexadecimal digits.
    package var hash: String

    package init(content: [UInt8], at: Date, hash: String) {
        self.content = content
        self.at = at
        self.hash = hash
    }
}
