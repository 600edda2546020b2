import CEntry

/// The program that has all commands.
enum ProgramProper {
    /// Becomes it, with the same arguments. Where this file is installed, in a `bin`, it lies in `libexec/countersign` beside that. Where
    /// it was built, it lies beside this file. No other place is tried: others could put a program of theirs there.
    static func become() -> Never {
        if let own = ownFile, let slash = own.lastIndex(of: UInt8(ascii: "/")) {
            let folder = Array(own[..<slash])
            if Text.ends(own, with: "/bin/countersign") {
                start(folder + Text.bytes("/../libexec/countersign/countersign"))
            } else if Text.ends(own, with: "/countersign-entry") {
                start(folder + Text.bytes("/countersign"))
            }
        }
        Output.fail("the program itself is missing, or cannot be started", hint: "install countersign again")
    }

    private static func start(_ path: [UInt8]) {
        // A link to this file would start it again and again.
        if !isOwn(path) { _ = Text.withPath(path) { execv($0, countersign_entry_arguments()) } }
    }

    private static var ownFile: [UInt8]? {
        var room = [CChar](repeating: 0, count: 4096)
        let length = room.withUnsafeMutableBufferPointer { countersign_entry_own_file($0.baseAddress, $0.count) }
        return length > 0 ? Text.bytes(at: room) : nil
    }

    private static func isOwn(_ path: [UInt8]) -> Bool {
        var (own, found) = (stat(), stat())
        return stat("/proc/self/exe", &own) == 0 && Text.withPath(path, { stat($0, &found) }) == 0
            && own.st_dev == found.st_dev && own.st_ino == found.st_ino
    }
}
