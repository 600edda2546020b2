import CEntry

enum Output {
    /// Prints lines. Ends the process if that fails: the agent has counted the token, so it is not asked again.
    static func print(_ lines: [ArraySlice<UInt8>]) {
        countersign_entry_ignore_pipe()
        var bytes: [UInt8] = []
        for line in lines { bytes += line + [10] }
        guard write(bytes, to: STDOUT_FILENO) else { fail("the result could not be written to standard output") }
    }

    /// Prints the failure, and ends the process.
    static func fail(_ words: StaticString, hint: StaticString? = nil) -> Never {
        var text = Text.bytes("error: ") + Text.bytes(words) + [10]
        if let hint { text += Text.bytes("hint: ") + Text.bytes(hint) + [10] }
        // A failure to write here cannot be reported anywhere.
        _ = write(text, to: STDERR_FILENO)
        _exit(1)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { CEntry.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, countersign_entry_errno() == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
