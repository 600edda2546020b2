/// What a command ends with when it does not do what was asked: a kind for programs, a cause and a next command for
/// people, an exit code for scripts (the table "Exit codes" of the manual).
struct Failure: Error {
    enum Kind: String, Encodable {
        case usage, cancelled, locked
        case notFound = "not_found"
        case ambiguous, refused, unreachable
        case secretService = "secret_service"
        case changed, expired, unknown, `internal`

        var exitCode: Int32 {
            switch self {
            case .internal: 1
            case .cancelled: 2
            case .locked: 3
            case .notFound, .ambiguous: 4
            case .refused: 5
            case .unreachable: 6
            case .secretService: 7
            case .changed, .expired: 8
            case .unknown: 9
            case .usage: 64
            }
        }
    }

    var kind: Kind
    /// The cause: lower case, no full stop, safe to show.
    var message: String
    /// The next command, or what to do.
    var hint: String?

    init(_ kind: Kind, _ message: String, hint: String? = nil) {
        self.kind = kind
        self.message = message
        self.hint = hint
    }

    var exitCode: Int32 { kind.exitCode }

    static func usage(_ message: String, hint: String? = nil) -> Failure { Failure(.usage, message, hint: hint) }

    static let cancelled = Failure(.cancelled, "cancelled", hint: nil)

    static let needsTerminal = Failure(
        .locked, "a question must be answered, and there is no terminal for it",
        hint: "run it on a terminal, or see --pin-file and --yes")

    /// The two lines that a person reads.
    var text: String {
        "error: \(message)" + (hint.map { "\nhint: \($0)" } ?? "")
    }
}
