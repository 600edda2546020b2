public import FoundationEssentials

/// Notes in the log of decisions, as bytes. Each is one more event of the same chain, so that none can be changed, removed or put
/// elsewhere without `verify` telling.
public protocol NoteChain: Sendable {
    /// Appends a note that was made then, unless the log has one with this id already. On disk when it returns.
    func record(note: [UInt8], id: String, at: Date) throws
    /// All notes, in the order of the log.
    func notes() throws -> [ChainedNote]
    /// Checks the whole log.
    func verify() throws -> LogVerdict
}

/// One note of the log.
public struct ChainedNote: Sendable {
    public var content: [UInt8]
    public var at: Date
    /// The MAC of the log up to this note, in 64 hexadecimal digits.
    public var hash: String

    public init(content: [UInt8], at: Date, hash: String) {
        self.content = content
        self.at = at
        self.hash = hash
    }
}
