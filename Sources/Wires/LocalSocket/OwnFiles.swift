internal import Glibc

/// The files that are this program: the one that runs here, and the one that starts first (`Sources/entry`) and then becomes it.
package enum OwnFiles {
    /// The file that runs here, without symbolic links; nil if it is not known.
    package static var running: String? { real("/proc/self/exe") }

    /// The file that a person starts: `bin/countersign` beside the `libexec` in which the running one lies, or `countersign-entry`
    /// beside the one that was built. Nil if there is none.
    package static var entry: String? { running.flatMap(place(ofEntryTo:)).flatMap(real) }

    /// The application's window, which is installed beside the running file; nil if there is none.
    package static var window: String? { running.flatMap { real($0 + "-window") } }

    /// The icon that was installed beside the program; nil if there is none.
    package static var icon: String? {
        guard let running, running.hasSuffix(installed) else { return nil }
        return real(running.dropLast(installed.count) + "/share/icons/hicolor/scalable/apps/countersign.svg")
    }

    /// Whether the path leads to one of the two.
    package static func lead(from path: String) -> Bool {
        guard let file = real(path) else { return false }
        return file == running || file == entry
    }

    static func hold(_ file: SocketFile.Identity) -> Bool {
        if SocketFile(following: "/proc/self/exe")?.identity == file { return true }
        return entry.flatMap(SocketFile.init(following:))?.identity == file
    }

    private static let installed = "/libexec/countersign/countersign"

    /// Where the entry to a program lies; nil for a program that lies anywhere else (`Sources/entry/ProgramProper.swift`).
    static func place(ofEntryTo program: String) -> String? {
        if program.hasSuffix(installed) { return program.dropLast(installed.count) + "/bin/countersign" }
        return program.hasSuffix("/countersign") ? program + "-entry" : nil
    }

    private static func real(_ path: String) -> String? {
        // With null, realpath allocates the result (POSIX.1-2008); we free it.
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
}
