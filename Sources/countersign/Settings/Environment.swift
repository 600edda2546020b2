import FoundationEssentials
import Glibc

/// Environment variables; an empty one counts as not set.
enum Environment {
    /// All of them, as they were when first asked for.
    static let all = ProcessInfo.processInfo.environment

    /// The person's locale, as POSIX looks for it; empty where none is set.
    static var locale: String { value("LC_ALL") ?? value("LC_MESSAGES") ?? value("LANG") ?? "" }

    static func value(_ name: String) -> String? {
        guard let pointer = getenv(name), pointer.pointee != 0 else { return nil }
        return String(cString: pointer)
    }
}
