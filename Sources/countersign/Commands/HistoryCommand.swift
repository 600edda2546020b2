import Client
import Records
import ArgumentParser
import Approvals
import Basics
import FoundationEssentials
import Keys
import Sessions

struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List your decisions, also at banks no longer connected, or the events of sessions.",
        usage: "countersign history [<options>]",
        discussion: "  countersign history --since 30d --verify")

    @Option(help: ArgumentHelp("Only decisions at this connection.", valueName: "name"), completion: Completing.names)
    var connection: String?
    @Option(
        help: ArgumentHelp(
            "Only entries since this date (2026-11-01), time (ISO 8601) or span (12h, 30d).", valueName: "when"))
    var since: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Only the newest n entries.", valueName: "n")) var limit: Int?
    @Flag(help: "List the events of sessions and of programs' grants.") var sessions = false
    @Flag(help: "Check that no entry of the log was edited, removed or reordered; exit code 1 if one was.")
    var verify = false
    @Flag(
        help: ArgumentHelp(
            "Accept, with your PIN, a log that --verify finds broken, and verify it from there on.",
            discussion:
                "Inspect the log first, and copy the home directory. The log records the acceptance, and --verify always shows it."
        ))
    var acceptLog = false
    @Flag(help: "Also print the decrypted plaintext of each, with control characters made visible.") var source = false
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1") }
        if sessions, connection != nil || source {
            throw ValidationError("--connection and --source are about decisions at banks, --sessions is not")
        }
    }

    func run() async throws {
        let context = try Context(options)
        let verify = verify || acceptLog
        // Accepting always takes the PIN, also while an agent is unlocked.
        let vault = acceptLog ? try await accept(context) : nil
        let start = try since.map { try Self.date($0, now: context.clock.now()) }
        if sessions {
            let request = SessionHistoryRequest(since: start.map { Timestamp($0) }, limit: limit, isVerified: verify)
            let body = { (sessions: Carrier<any SessionHost>) in
                let history = try await sessions.perform(SessionVerbs.history, request)
                try show(
                    CheckedSessionHistory(history: history, isVerified: verify), history.log, history.isIntact,
                    history.failures?.map(\.text))
            }
            if let vault { return try await SessionJob.with(vault, openedBy: nil, context, body) }
            return try await context.with(.sessionsAndLog, body)
        }
        let request = HistoryRequest(
            connection: connection, since: start.map { Timestamp($0) }, limit: limit, isVerified: verify,
            withSource: source)
        let body = { (operations: Carrier<any ApprovalHost>) in
            let history = try await operations.perform(ApprovalVerbs.history, request)
            try show(
                CheckedHistory(history: history, isVerified: verify, hasSource: source), history.log, history.isIntact,
                history.failures?.map(\.text))
        }
        if let vault { return try await ApprovalJob.with(vault, openedBy: nil, context, body) }
        try await context.with(.approvals, body)
    }

    private func accept(_ context: Context) async throws -> any OpenVault {
        let vault = try await context.open().vault
        let log = SealedLog(context.database, sealer: vault)
        if let accepted = try log.accept(at: context.clock.now()) {
            Terminal.say("Accepted: the log was broken at \(accepted.reason).")
        } else {
            Terminal.say("The log is not broken, so there is nothing to accept.")
        }
        return vault
    }

    private func show(_ history: some Payload, _ log: String, _ isIntact: Bool, _ failures: [String]?) throws {
        try options.render(history)
        options.say(failures: failures)
        guard !isIntact else { return }
        if !options.json {
            Terminal.say(
                Failure.brokenLog(log).text)
        }
        if verify || acceptLog { throw ExitCode(1) }
    }

    /// Parses a date, a time, or a span back from now.
    static func date(_ text: String, now: Date) throws -> Date {
        if let time = Timestamp.parse(text) ?? Timestamp.parse(text + "T00:00:00Z") { return time }
        let units: [Character: Double] = ["m": 60, "h": 3600, "d": 86400, "w": 604_800]
        if let unit = text.last.flatMap({ units[$0] }), let count = UInt32(text.dropLast()) {
            return now.addingTimeInterval(-Double(count) * unit)
        }
        throw Failure.usage("--since cannot be read", hint: "for example: --since 2026-11-01, --since 12h, --since 30d")
    }
}

extension Failure {
    /// `log`: `broken at …`.
    static func brokenLog(_ log: String) -> Failure {
        Failure(
            .internal, "the log is \(log)",
            hint:
                "keep a copy of the home directory and ask the bank which decisions it has; then accept the log as it is: countersign history --accept-log"
        )
    }
}
