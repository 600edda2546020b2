import ArgumentParser
import Basics
import Display
import Sessions

struct ListSessions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List where you are signed in.",
        usage: "countersign sessions [list] [<options>]")

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await Context(options).withSessions { sessions in
            try options.render(SessionsPayload(try sessions.store.sessions().map { try sessions.payload($0) }))
        }
    }
}

struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Sign out: end the tokens at the issuer, then destroy the session here.",
        usage: "countersign logout <name>... | --all [--local-only] [--yes] [<options>]",
        discussion: """
              countersign logout fern

            On a terminal it asks before it destroys; without one, and under --no-input, it acts at once. An issuer that cannot be \
            reached does not keep you signed in: it is told at a later login or logout. Your browser may stay signed in there.
            """)

    @Argument(help: "The names of sessions.") var names: [String] = []
    @Flag(help: "Sign out everywhere.") var all = false
    @Flag(help: "Destroy what is on this computer without telling the issuer.") var localOnly = false
    @Flag(name: .shortAndLong, help: "Do not ask whether to go on.") var yes = false
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard names.isEmpty == all else { throw ValidationError("name sessions, or give --all") }
    }

    func run() async throws {
        let context = try Context(options)
        try await context.withSessions { sessions in
            let lookup = try sessions.lookup()
            var chosen: [SignIn] = []
            for session in try all ? sessions.store.sessions() : names.map({ try lookup.session($0) })
            where !chosen.contains(where: { $0.id == session.id }) { chosen.append(session) }
            if !yes, !chosen.isEmpty, context.terminal.isInteractive { try confirm(chosen, context) }
            var outcomes: [SignOut.Outcome] = []
            var firstFailure: Failure?
            for session in chosen {
                do {
                    outcomes.append(try await sessions.signOut.signOut(session, localOnly: localOnly))
                } catch {
                    let failure = Failure(error)
                    guard chosen.count > 1 else { throw failure }
                    firstFailure = firstFailure ?? failure
                    Terminal.say(failure.text)
                }
            }
            if let firstFailure, outcomes.isEmpty { throw ExitCode(firstFailure.exitCode) }
            try options.render(SignedOutPayload(outcomes))
            // What is owed for other sessions does not undo this logout.
            if !localOnly { try? await sessions.signOut.settle() }
            if let firstFailure { throw ExitCode(firstFailure.exitCode) }
        }
    }

    private func confirm(_ chosen: [SignIn], _ context: Context) throws {
        let shown = chosen.map { session in
            let account = session.identity.map { " (\(DisplayText($0.account).line(within: 60)))" } ?? ""
            return "\(session.name.text)\(account)"
        }
        let telling = localOnly ? "without telling the issuer" : "and tell the issuer"
        let question = "\(shown.joined(separator: ", ")): sign out \(telling)? Programs get no more tokens of it."
        guard try context.terminal.confirm(question) else { throw Failure.cancelled }
    }
}
