import FoundationEssentials
import Glibc

/// Environment variables; an empty one counts as not set.
package enum Environment {
    /// All variables, as they were at the first use.
    package static let all = ProcessInfo.processInfo.environment

    /// The person's locale, from the variables of POSIX; empty if none is set.
    package static var locale: String { value("LC_ALL") ?? value("LC_MESSAGES") ?? value("LANG") ?? "" }

    package static func value(_ name: String) -> String? {
        guard let pointer = getenv(name), pointer.pointee != 0 else { return nil }
        return String(cString: pointer)
    }
}
