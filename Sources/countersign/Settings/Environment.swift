import FoundationEssentials
import Glibc

/// Environment variables; an empty one counts as not set.
enum Environment {
    /// All of them, as they were when first asked for.
    static let all = ProcessInfo.processInfo.environment

    static func value(_ name: String) -> String? {
        guard let pointer = getenv(name), pointer.pointee != 0 else { return nil }
        return String(cString: pointer)
    }
}
