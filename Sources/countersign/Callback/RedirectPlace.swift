import Agent
import FoundationEssentials
import Glibc
import Ledger

/// Where an enrollment that waits with `--callback scheme` and `countersign open` meet: a directory of this user alone, with
/// one socket for each enrollment that waits.
///
/// The one who brings an address connects, sends it, ends sending, and reads one byte: 1 when it proved good.
struct RedirectPlace: Sendable {
    let directory: String

    /// `$XDG_RUNTIME_DIR/countersign`, else `run` in the home.
    init(home: String?) throws {
        if let runtime = Environment.value("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") {
            directory = runtime + "/countersign"
        } else {
            let environment = ProcessInfo.processInfo.environment
            directory = try StateDirectory(home: home, environment: environment).path + "/run"
        }
    }

    static let longestAddress = 65536
    static let accepted: UInt8 = 1
    static let notAccepted: UInt8 = 0

    /// Makes the directory, mode 0700. Throws when it is not this user's alone.
    func make() throws {
        if mkdir(directory, 0o700) == 0 {
            // Whatever the umask.
            chmod(directory, 0o700)
        }
        var found = stat()
        guard lstat(directory, &found) == 0 else {
            // strerror never gives null; its text is copied before another call can change it.
            throw unusable(String(cString: strerror(errno)).lowercased())
        }
        guard found.st_mode & S_IFMT == S_IFDIR else { throw unusable("not a directory") }
        guard found.st_uid == geteuid(), found.st_mode & 0o077 == 0 else { throw unusable("open to other users") }
    }

    func unusable(_ reason: String) -> Failure {
        Failure(.internal, "\(directory) cannot be used: \(reason)", hint: "use --callback paste")
    }

    /// The socket of the enrollment that this process runs.
    var own: String { "\(directory)/\(Self.prefix)\(getpid())\(Self.suffix)" }

    /// The sockets of all enrollments that wait, and of some that were killed.
    func all() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.hasPrefix(Self.prefix) && $0.hasSuffix(Self.suffix) }.sorted().map {
            "\(directory)/\($0)"
        }
    }

    private static let prefix = "redirect-"
    private static let suffix = ".sock"
}
