import FoundationEssentials
import Glibc

/// Environment variables; an empty one counts as not set.
enum Environment {
    /// All variables, as they were at the first use.
    static let all = ProcessInfo.processInfo.environment

    /// The person's locale, from the variables of POSIX; empty if none is set.
    static var locale: String { value("LC_ALL") ?? value("LC_MESSAGES") ?? value("LANG") ?? "" }

    static func value(_ name: String) -> String? {
        guard let pointer = getenv(name), pointer.pointee != 0 else { return nil }
        return String(cString: pointer)
    }
}
