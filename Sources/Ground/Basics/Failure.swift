/// Why a command failed: a kind for programs, a cause and a next command for people, an exit code for scripts (EXIT
/// STATUS of each manual page).
package struct Failure: Error, Sendable, Equatable {
    /// The kinds, as `--json` and the agent spell them.
    package enum Kind: String, Sendable, Codable {
        case usage, cancelled, locked
        case notFound = "not_found"
        case ambiguous, refused, unreachable
        case secretService = "secret_service"
        case changed, expired, unknown, `internal`
        /// An agent was asked to start while another one runs.
        case alreadyRuns = "already_runs"
        /// A session must be signed in to again.
        case signedOut = "signed_out"
        /// An item of the keyring, or a row of the database, differs from the stored value.
        case damaged

        /// The exit status of a command that fails in this way.
        package var exitCode: Int32 {
            switch self {
            case .internal: 1
            case .cancelled: 2
            case .locked, .signedOut: 3
            case .notFound, .ambiguous: 4
            case .refused: 5
            case .unreachable: 6
            case .secretService, .damaged: 7
            case .changed, .expired: 8
            case .unknown: 9
            case .alreadyRuns: 10
            case .usage: 64
            }
        }
    }

    /// For programs: it decides the exit code.
    package var kind: Kind
    /// The cause: lower case, no full stop, safe to show.
    package var message: String
    /// The next command, or the next step.
    package var hint: String?
    /// Whether the PIN was wrong and another one may be tried at once.
    package var mayTryAgain = false

    package init(_ kind: Kind, _ message: String, hint: String? = nil) {
        self.kind = kind
        self.message = message
        self.hint = hint
    }

    package var exitCode: Int32 { kind.exitCode }

    /// The same failure, with `NAME` and `REF` in its hint replaced by the real connection and authorization.
    package func naming(connection: String? = nil, reference: String? = nil) -> Failure {
        var failure = self
        if let connection { failure.hint = failure.hint?.replacing("NAME", with: connection) }
        if let reference { failure.hint = failure.hint?.replacing("REF", with: reference) }
        return failure
    }

    /// The command line, a setting or an input was wrong.
    package static func usage(_ message: String, hint: String? = nil) -> Failure {
        Failure(.usage, message, hint: hint)
    }

    /// The person said no, or closed a question.
    package static let cancelled = Failure(.cancelled, "cancelled", hint: nil)

    /// A question needs an answer, and there is neither a terminal nor an option that answers it.
    package static let needsTerminal = Failure(
        .locked, "a question must be answered, and there is no terminal for it",
        hint: "run it on a terminal, or see --pin-file and --yes")

    /// A question needs an answer, and the terminal gives input to another program, as in `curl -H @<(countersign header URL)`.
    package static let inBackground = Failure(
        .locked, "a question must be answered, and this command runs in the background of the terminal",
        hint: "run it by itself or first in a pipe, or open the agent before: countersign unlock")

    /// A question needs an answer, and `--no-input` forbids asking it, whether or not there is a terminal.
    package static let mayNotAsk = Failure(
        .locked, "a question must be answered, and --no-input forbids asking it",
        hint: "run it without --no-input, or see --pin-file and --yes")

    /// As `needsTerminal`, where the PIN is all that is missing.
    package static let needsPIN = Failure(
        .locked, "the PIN is needed, and there is nobody to ask for it",
        hint: "run it on a terminal, or give --pin-file PATH")

    /// As `needsPIN`, where an agent runs that can be unlocked.
    package static let needsUnlock = Failure(
        .locked, needsPIN.message, hint: "countersign unlock, or give --pin-file PATH")

    /// Everything is hidden until the PIN.
    package static let agentLocked = Failure(.locked, "the agent is locked", hint: "countersign unlock")

    /// A text cannot be the name of a connection.
    package static let badName = Failure.usage(
        "this is not a name for a connection", hint: "a-z, 0-9 and -, at most 32 characters, not beginning with -")

    /// The two lines that a person reads.
    package var text: String {
        "error: \(message)" + (hint.map { "\nhint: \($0)" } ?? "")
    }
}
