import Basics
import Testing
import WindowModel

private func text(_ entry: PINEntry) -> String {
    entry.take().map { $0.withBytes { String(decoding: $0, as: UTF8.self) } } ?? ""
}

private func type(_ words: String, _ entry: PINEntry, at position: Int) throws {
    var words = words
    try words.withUTF8 { try entry.insert(UnsafeRawBufferPointer($0), at: position) }
}

@Test func charactersStandWhereTheyWereTyped() throws {
    let entry = PINEntry()
    try type("äb", entry, at: 0)
    try type("z", entry, at: 99)
    try type("€1", entry, at: 1)
    #expect(text(entry) == "ä€1bz")
    #expect(entry.isEmpty)
}

@Test(arguments: [
    (0, 1, "€1bz"), (1, 3, "äbz"), (4, 5, "ä€1b"), (0, -1, ""), (2, 99, "ä€"), (3, 3, "ä€1bz"), (7, 9, "ä€1bz"),
])
func deletedCharactersAreGone(_ start: Int, _ end: Int, _ rest: String) throws {
    let entry = PINEntry()
    try type("ä€1bz", entry, at: 0)
    entry.delete(start, end)
    #expect(entry.isEmpty == rest.isEmpty)
    #expect(text(entry) == rest)
}

@Test func aWipedEntryHandsNothingOver() throws {
    let entry = PINEntry()
    try type("271828", entry, at: 0)
    entry.wipe()
    #expect(entry.isEmpty && entry.take() == nil)
}

@Test func aTakenSecretOutlastsFurtherTyping() throws {
    let entry = PINEntry()
    try type("271828", entry, at: 0)
    let secret = entry.take()
    try type("3", entry, at: 0)
    entry.wipe()
    #expect(secret?.withBytes { String(decoding: $0, as: UTF8.self) } == "271828")
}

/// A pasted line break would end the line by which a PIN is handed on: another PIN would be set than the one on the clipboard.
@Test(arguments: ["27182818\n", "\r", "\u{0}", "1\t2", "\u{7F}", String(repeating: "a", count: 1021)])
func whatIsNoPartOfAPINIsRefusedWhole(_ pasted: String) throws {
    let entry = PINEntry()
    try type("1234", entry, at: 0)
    #expect(throws: (any Error).self) { try type(pasted, entry, at: 4) }
    #expect(text(entry) == "1234")
}
