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
