import ArgumentParser
import Basics
import Sessions

/// When a session is to be signed out, in words of the command line.
struct SignOutWords: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "When to sign out: a time such as 8h, a time of day such as 18:00, or never.", valueName: "time"))
    var until: String?
    @Flag(inversion: .prefixedNo, help: "Stay signed in, whatever the settings say.")
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
        commandName: "set", abstract: "Say when a session is to be signed out.",
        usage: "countersign sessions set <name> [--until <time>] [<options>]",
        discussion: """
              countersign sessions set fern --until 18:00

            A time counts from now. The settings may name an earlier one, which then counts (sign_out). To stay signed in for longer \
            takes the PIN.
            """)

    @Argument(help: "The session's name, or its issuer.") var name: String
    @OptionGroup var signOut: SignOutWords
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let wanted = try SignOutChange(until: try signOut.rule(), keep: signOut.keep)
        let context = try Context(options)
        try await context.withSessions { sessions in
            let changed: OneSessionPayload
            do {
                changed = try await sessions.setSignOut(of: name, wanted, pin: nil, from: .person)
            } catch let failure as Failure where failure == .takesPIN {
                let card = ["Session: \(name)", "Sign out: \(wanted.words)"]
                GrantCard.show(card)
                changed = try await context.withPIN(for: .prolong(card)) { pin, source in
                    try await sessions.setSignOut(of: name, wanted, pin: pin, from: source)
                }
            }
            try options.render(ChangedSession(changed.session))
        }
    }
}

extension SignOutChange {
    fileprivate var words: String {
        guard keep != true else { return "never; it is kept" }
        return until.map(\.text) ?? "when the settings say so"
    }
}
