import Basics
import FoundationEssentials
import Glibc
import Ledger
import LocalSocket

/// The meeting point of `countersign open` and the enrollments that wait with `--callback scheme`: the directory of the
/// agent's socket, which only this user can use, with one socket for each waiting enrollment.
///
/// The process that delivers an address connects, sends it, ends sending, and reads one byte: 1 if it was accepted.
struct RedirectPlace: Sendable {
    private let place: SocketPlace

    init(home: String?) throws {
        let state = try StateDirectory(home: home, environment: ProcessInfo.processInfo.environment)
        do {
            place = try SocketPlace(
                home: state.path, isDefault: true, runtimeDirectory: Environment.value("XDG_RUNTIME_DIR"))
        } catch {
            throw Self.unusable(error.reason)
        }
    }

    static let longestAddress = 65536
    static let accepted: UInt8 = 1
    static let notAccepted: UInt8 = 0

    /// Creates the directory. Throws if it is not private to this user.
    func make() throws {
        do {
            try place.makeDirectory()
        } catch {
            throw Self.unusable(error.reason)
        }
    }

    /// The failure of a socket here. `--callback paste` needs no socket.
    static func unusable(_ reason: String) -> Failure {
        Failure(.internal, "cannot wait for the redirect: \(reason)", hint: "use --callback paste")
    }

    /// The socket of the enrollment that this process runs.
    var own: String { "\(place.directory)/\(Self.prefix)\(getpid())\(Self.suffix)" }

    /// The sockets of all waiting enrollments, and of some that were killed.
    func all() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.directory)) ?? []
        return names.filter { $0.hasPrefix(Self.prefix) && $0.hasSuffix(Self.suffix) }.sorted().map {
            "\(place.directory)/\($0)"
        }
    }

    private static let prefix = "redirect-"
    private static let suffix = ".sock"
}
