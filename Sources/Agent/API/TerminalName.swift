internal import Glibc

/// The names of terminals, as a front end tells them.
enum TerminalName {
    /// Where a name leads to in truth; nil unless that is a terminal of this user. A pinentry is started on it, which opens it
    /// for reading and writing.
    static func resolve(_ name: String) -> String? {
        guard name.hasPrefix("/dev/"), !name.utf8.contains(0), let resolved = realpath(name, nil) else { return nil }
        // realpath allocated it, and nobody else frees it.
        defer { free(resolved) }
        let path = String(cString: resolved)
        var file = stat()
        // Not followed: what was a file a moment ago may be a link now. Writes to the struct during the call.
        guard lstat(path, &file) == 0, file.st_mode & S_IFMT == S_IFCHR, file.st_uid == geteuid(),
            isTerminal(path, file.st_rdev)
        else { return nil }
        return path
    }

    /// By the numbers that Linux gives to drivers (Documentation/admin-guide/devices.txt): 136 to 143 are pseudo-terminals; 5 is
    /// `/dev/tty`, which is another one for each process, and what makes new ones.
    private static func isTerminal(_ path: String, _ device: dev_t) -> Bool {
        // major of makedev(3), a macro, which does not import.
        let major = device >> 8 & 0xfff | device >> 32 & ~0xfff
        if path.hasPrefix("/dev/pts/") { return (136...143).contains(major) }
        return path.hasPrefix("/dev/tty") && major != 5
    }
}
