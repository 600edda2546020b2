internal import Glibc

/// Checks the names of terminals that a front end sends.
package enum TerminalName {
    /// The path that a name leads to; nil unless that is a terminal of this user. A pinentry opens it for reading and
    /// writing.
    package static func resolve(_ name: String) -> String? {
        guard name.hasPrefix("/dev/"), !name.utf8.contains(0), let resolved = realpath(name, nil) else { return nil }
        // realpath allocated it for us to free.
        defer { free(resolved) }
        let path = String(cString: resolved)
        var file = stat()
        // Does not follow links: the path may have become one meanwhile. Writes to the struct during the call.
        guard lstat(path, &file) == 0, file.st_mode & S_IFMT == S_IFCHR, file.st_uid == geteuid(),
            isTerminal(path, file.st_rdev)
        else { return nil }
        return path
    }

    /// By Linux's numbers of drivers (Documentation/admin-guide/devices.txt): 136 to 143 are pseudo-terminals; 5 is
    /// `/dev/tty`, which is a different terminal for each process, and `/dev/ptmx`, which makes new ones.
    private static func isTerminal(_ path: String, _ device: dev_t) -> Bool {
        // major of makedev(3), a macro, which does not import.
        let major = device >> 8 & 0xfff | device >> 32 & ~0xfff
        if path.hasPrefix("/dev/pts/") { return (136...143).contains(major) }
        return path.hasPrefix("/dev/tty") && major != 5
    }
}
