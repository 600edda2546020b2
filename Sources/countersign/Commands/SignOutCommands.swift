import Client
import ArgumentParser
import Basics
import Dialogue
import SessionModel
import Sessions

/// When a session is to be signed out, in words of the command line.
struct SignOutWords: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "When to sign out: after a time such as 8h, at a time of day such as 18:00, or never.", valueName: "time"))
    var until: String?
    @Flag(inversion: .prefixedNo, help: "Stay signed in, even if the settings name a time or an event.")
    var keep: Bool?

    func validate() throws {
        guard until == nil || keep != true else { throw ValidationError("--keep leaves no time for --until") }
    }

    /// Throws a usage failure for a text that says no time.
    func rule() throws(Failure) -> SignOutRule? {
        guard let until else { return nil }
        guard let rule = SignOutRule(until) else { throw .badSignOut }
        return rule
    }
}

struct SetSession: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set when a session is signed out.",
        usage: "countersign sessions set <name> [--until <time>] [<options>]",
        discussion: """
              countersign sessions set fern --until 18:00

            A time such as 8h counts from now. If the settings (sign_out) give an earlier time, that one counts. Staying signed in \
            longer takes the PIN; on a terminal it asks before an earlier time.
            """)

    @Argument(help: "The session's name, or its issuer.") var name: String
    @OptionGroup var signOut: SignOutWords
    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.") var yes = false
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let wanted = try SignOutChange(until: try signOut.rule(), keep: signOut.keep)
        let context = try Context(options)
        try await context.with(.sessions) { sessions in
            if !yes, context.terminal.isInteractive {
                let options = ShowOptions(refresh: false)
                let session = try await sessions.perform(SessionVerbs.show, on: name, options).session
                let end = wanted.until.flatMap { context.signOutClock.end(by: $0, givenAt: Moment(context.clock)) }
                if let question = Question.signOut(of: session, sooner: wanted, at: end) {
                    try context.prompts.demand(question, isGiven: yes, .onTerminal)
                }
            }
            let changed: OneSessionPayload
            do {
                changed = try await sessions.perform(SessionVerbs.setSignOut, on: name, wanted)
            } catch let failure as Failure where failure == .takesPIN {
                changed = try await context.withPIN(after: GrantDialogue(.stay(wanted.facts(of: name)))) {
                    pin, source in
                    try await sessions.perform(
                        SessionVerbs.setSignOut, on: name, wanted, pin: .typed(pin, from: source))
                }
            }
            try options.render(ChangedSession(changed.session))
        }
    }
}
