import Basics
import FoundationEssentials
import Glibc
import LocalSocket

/// The meeting point of `countersign open` and the commands that wait with `--callback scheme`: the directory of the
/// agent's socket, which only this user can use, with one socket for each that waits.
///
/// The process that delivers an address connects, sends it, ends sending, and reads one byte, the outcome.
package struct RedirectPlace: Sendable {
    /// The kinds of waits. An address goes to one kind alone, so that no issuer's page can disturb an enrollment.
    package enum Kind: Sendable { case enrollment, login }

    private let place: SocketPlace
    private let kind: Kind

    /// `home`: the path of its directory.
    package init(home: String, for kind: Kind) throws {
        self.kind = kind
        do {
            place = try SocketPlace(
                home: home, isDefault: true, runtimeDirectory: Environment.value("XDG_RUNTIME_DIR"))
        } catch {
            throw Self.unusable(error.reason)
        }
    }

    /// Its path.
    package var directory: String { place.directory }

    static let longestAddress = 65536

    static func word(for outcome: RedirectOutcome) -> UInt8 {
        switch outcome {
        case .notAccepted: 0
        case .accepted: 1
        case .locked: 2
        }
    }

    static func outcome(of word: UInt8?) -> RedirectOutcome {
        switch word {
        case 1: .accepted
        case 2: .locked
        default: .notAccepted
        }
    }

    /// Creates the directory. Throws if it is not private to this user.
    package func make() throws {
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

    /// The path of the socket for one wait of this process.
    func newSocket() -> String { "\(place.directory)/\(prefix)\(getpid())\(distinction)\(Self.suffix)" }

    /// The sockets of all waits, including some whose process was killed.
    func all() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.directory)) ?? []
        return names.filter { $0.hasPrefix(prefix) && $0.hasSuffix(Self.suffix) }.sorted().map {
            "\(place.directory)/\($0)"
        }
    }

    private var prefix: String {
        switch kind {
        case .enrollment: "redirect-"
        case .login: "login-"
        }
    }

    /// An agent may wait for several logins at once.
    private var distinction: String {
        switch kind {
        case .enrollment: ""
        case .login: "-" + String(UInt32.random(in: .min ... .max), radix: 16)
        }
    }

    private static let suffix = ".sock"
}
