import Basics
import Glibc

extension Program {
    /// Whether it is named by a file that is not there. A file that may not be looked for counts as there.
    var isFileGone: Bool {
        switch kind {
        case .path, .script: access(name.untrusted, F_OK) != 0 && [ENOENT, ENOTDIR].contains(errno)
        case .flatpak, .snap, .app, .unit, .terminal: false
        }
    }
}
