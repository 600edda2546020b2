import Basics
import Glibc
package import SessionModel

extension Program {
    /// Whether the program is named by a file that is gone. A file that we may not look for counts as present.
    var isFileGone: Bool {
        switch kind {
        case .path, .script: access(name.untrusted, F_OK) != 0 && [ENOENT, ENOTDIR].contains(errno)
        case .flatpak, .snap, .app, .unit, .terminal: false
        }
    }

    /// The program by the real path of its file, as it is found when it asks. A file that is not there yet keeps its path. Throws a
    /// usage failure for such a file without a whole path.
    package func resolved() throws -> Program {
        guard kind == .path || kind == .script else { return self }
        // With null, realpath allocates the result (POSIX.1-2008); we free it.
        guard let real = realpath(name.untrusted, nil) else {
            guard name.untrusted.hasPrefix("/") else {
                throw Failure.usage("there is no such file here", hint: "give its whole path: path:/usr/bin/fern")
            }
            return self
        }
        defer { free(real) }
        return Program(kind, String(cString: real))
    }
}
