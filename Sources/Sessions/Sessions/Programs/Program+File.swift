import Basics
import Glibc
import SessionModel

extension Program {
    /// Whether the program is named by a file that is gone. A file that we may not look for counts as present.
    var isFileGone: Bool {
        switch kind {
        case .path, .script: access(name.untrusted, F_OK) != 0 && [ENOENT, ENOTDIR].contains(errno)
        case .flatpak, .snap, .app, .unit, .terminal: false
        }
    }
}
