import CEntry

/// The program that has all commands.
enum ProgramProper {
    /// Becomes it, with the same arguments. For a file in a `bin`, it lies in `libexec/countersign` beside that; where it was built, it
    /// lies beside this file. No other place is tried, and no file of another owner than root, you or the one of
    /// this file: others could put a program of theirs there.
    static func become() -> Never {
        if let own = ownFile, let slash = own.lastIndex(of: UInt8(ascii: "/")) {
            let folder = Array(own[..<slash])
            if Text.ends(folder, with: "/bin") {
                start(folder + Text.bytes("/../libexec/countersign/countersign"))
            } else if Text.ends(own, with: "/countersign-entry") {
                start(folder + Text.bytes("/countersign"))
            }
        }
        Output.fail("the program itself is missing, or cannot be started", hint: "install countersign again")
    }

    private static func start(_ path: [UInt8]) {
        var (own, found) = (stat(), stat())
        guard stat("/proc/self/exe", &own) == 0, Text.withPath(path, { stat($0, &found) }) == 0 else { return }
        // A link to this file would start it again and again.
        if own.st_dev == found.st_dev, own.st_ino == found.st_ino { return }
        guard found.st_uid == 0 || found.st_uid == geteuid() || found.st_uid == own.st_uid else { return }
        _ = Text.withPath(path) { execv($0, countersign_entry_arguments()) }
    }

    private static var ownFile: [UInt8]? {
        var room = [CChar](repeating: 0, count: 4096)
        let length = room.withUnsafeMutableBufferPointer { countersign_entry_own_file($0.baseAddress, $0.count) }
        return length > 0 ? Text.bytes(at: room) : nil
    }
}
