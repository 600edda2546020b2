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
        try await Context(options).withSessions { try options.render(try await $0.sessions()) }
    }
}

struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Sign out: end the tokens at the issuer, then destroy the session here.",
        usage: "countersign logout <name>... | --all [<options>]",
        discussion: """
              countersign logout fern

            On a terminal it asks before it destroys; without one, and under --no-input, it acts at once. An issuer that cannot be \
            reached does not keep you signed in: it is told at a later login or logout. Your browser may stay signed in there; on a \
            terminal the issuer's page that ends that is opened, where it has one and no other session stays.
            """)

    @Argument(help: "The names of sessions.") var names: [String] = []
    @Flag(help: "Sign out everywhere.") var all = false
    @Flag(
        inversion: .prefixedNo,
        help: "Sign the browser out at the issuer, too; by default on a terminal.")
    var browser: Bool?
    @Flag(help: "Destroy what is on this computer without telling the issuer.") var localOnly = false
    @Flag(name: .shortAndLong, help: "Do not ask whether to go on.") var yes = false
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard names.isEmpty == all else { throw ValidationError("name sessions, or give --all") }
        guard !(localOnly && browser == true) else {
            throw ValidationError("--local-only tells the issuer nothing, and --browser does")
        }
    }

    func run() async throws {
        let context = try Context(options)
        try await context.withOwnSessions { sessions in
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
            let opened = openPages(of: outcomes, staying: try sessions.store.sessions(), context)
            try options.render(SignedOutPayload(outcomes, opened: opened))
            // What is owed for other sessions does not undo this logout.
            if !localOnly { try? await sessions.signOut.settle() }
            if let firstFailure { throw ExitCode(firstFailure.exitCode) }
        }
    }

    /// Opens the pages where the browser signs out, and returns whose were.
    private func openPages(of outcomes: [SignOut.Outcome], staying: [SignIn], _ context: Context) -> Set<SessionName> {
        guard browser ?? (context.terminal.isInteractive && !localOnly) else { return [] }
        var opened: Set<SessionName> = []
        for (name, page) in SignOutPage.pages(of: outcomes, staying: staying, isWished: browser == true) {
            if Browser.open(secret: page.whole ?? page.bare, bare: page.bare) {
                opened.insert(name)
            } else {
                Terminal.say("To sign your browser out of it, visit")
                Terminal.say("  \(page.bare.text)")
            }
        }
        if browser == true {
            for outcome in outcomes where outcome.page == nil {
                Terminal.say("The issuer of \(outcome.name.text) has no page that signs a browser out.")
            }
        }
        return opened
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
