import AgentWire
import Client
import ArgumentParser
import Basics
import Dialogue
import Display
import Keys
import LocalSocket
import Pinentry
import SessionModel
import Sessions

struct RequestsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests", abstract: "List the programs that ask for tokens.",
        usage: "countersign requests [<options>]",
        discussion: """
              countersign requests
              countersign allow 3f9a1c22

            A program that asks the agent for a token without a grant is listed for ten minutes.
            """)

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await Context(options).with(.programs) { try options.render(try await $0.perform(AgentVerbs.requests)) }
    }
}

/// When and for how long a program may have tokens.
struct GrantLife: ParsableArguments {
    enum When: String, ExpressibleByArgument, CaseIterable { case open, unlocked, asked }

    @Option(
        help: """
            When the program gets tokens: open (while you are here), unlocked (also in your absence, until the agent is locked) or \
            asked (with the PIN each time).
            """)
    var when: When = .open
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "How long the grant lasts, such as 8h or 30d; by default until it is revoked.", valueName: "time"))
    var life: String?

    func allowance() throws -> AllowOptions {
        let use: ProgramGrant.Use =
            switch when {
            case .open: .open
            case .unlocked: .unlocked
            case .asked: .asked
            }
        return try AllowOptions(use, seconds: try life.map { try Self.seconds($0) })
    }

    private static func seconds(_ text: String) throws -> Int64 {
        let units: [Character: Int64] = ["m": 60, "h": 3600, "d": 86400]
        guard let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()),
            (1...36500).contains(number)
        else { throw Failure.usage("--for takes a time such as 45m, 8h or 30d") }
        return number * unit
    }
}

struct AllowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow", abstract: "Allow a program the tokens that it asked for, with your PIN.",
        usage: "countersign allow <id> [--session <name>] [--for <time>] [<options>]",
        discussion: "  countersign allow 3f9a1c22 --for 30d")

    @Argument(help: "The request's id, as requests prints it, or its beginning.") var id: String
    @Option(
        help: ArgumentHelp(
            "The session whose tokens it may have, if requests lists several.", valueName: "name"))
    var session: String?
    @OptionGroup var life: GrantLife
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        var allowance = try life.allowance()
        allowance.session = try session.map { text in
            guard let name = SessionName(text) else { throw Failure.badSessionName }
            return name
        }
        let context = try Context(options)
        try await context.with(.programs) { sessions in
            let requests = try await sessions.perform(AgentVerbs.requests).requests.filter { $0.id.hasPrefix(id) }
            guard let request = requests.first, requests.count == 1 else { throw SessionError.noRequest(id) }
            let dialogue = GrantDialogue(request, of: session, for: allowance, before: .person(typesWords: true))
            let answered = try await context.withPIN(after: dialogue) { [allowance] pin, source in
                try await sessions.perform(
                    AgentVerbs.allow, on: request.id, allowance, pin: .typed(pin, from: source))
            }
            try options.render(answered)
        }
    }
}

struct RefuseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse", abstract: "Refuse a program the tokens that it asked for.",
        usage: "countersign refuse <id> [<options>]",
        discussion:
            "  countersign refuse 3f9a1c22\n\nThe program is then refused the same for ten minutes without a question. On a terminal it asks "
            + "before that.")

    @Argument(help: "The request's id, as requests prints it, or its beginning.") var id: String
    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.") var yes = false
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let context = try Context(options)
        try await context.with(.programs) { sessions in
            let meant = try await context.meant(by: id, isAsked: !yes) {
                try await sessions.perform(AgentVerbs.requests).requests.map { ($0.id, .refuse($0)) }
            }
            try options.render(try await sessions.perform(AgentVerbs.refuse, on: meant))
        }
    }
}

struct GrantsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grants", abstract: "List, add and end the grants of programs.",
        usage: "countersign grants [<subcommand>]",
        discussion: "  countersign grants\n  countersign grants revoke 3f9a1c22",
        subcommands: [ListGrants.self, AddGrant.self, RevokeGrant.self],
        defaultSubcommand: ListGrants.self)
}

struct ListGrants: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List which programs may have tokens of which sessions.",
        usage: "countersign grants [list] [<options>]")

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await Context(options).with(.sessions) {
            let answer = try await $0.perform(SessionVerbs.grants)
            options.say(failures: answer.failures?.map(\.text))
            try options.render(answer)
        }
    }
}

struct AddGrant: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Allow a program tokens of a session, with your PIN.",
        usage: "countersign grants add <program> --session <name> [<options>]",
        discussion: """
              countersign grants add unit:backup.service --session fern --when unlocked

            Name a program by kind and name: snap:NAME for a Snap package, app:ID for a desktop application, unit:NAME.service for \
            a user service, path:FILE for an executable, script:FILE for a script.
            """)

    @Argument(help: "The program, such as unit:backup.service.") var program: String
    @Option(help: ArgumentHelp("The session whose tokens it may have.", valueName: "name")) var session: String
    @Option(parsing: .singleValue, help: ArgumentHelp("Allow only this scope; may be repeated.", valueName: "scope"))
    var scope: [String] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Allow tokens for this service only; may be repeated.", valueName: "uri"))
    var resource: [String] = []
    @Flag(help: "Allow the ID token too, which proves your identity to others.") var idToken = false
    @OptionGroup var life: GrantLife
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        guard let program = try Program(program)?.resolved() else { throw Failure.badProgram }
        guard program.canBeFound else { throw Failure.notToBeFound }
        if program.kind == .path, Interpreter(file: program.name.untrusted) != nil { throw Failure.interpreter }
        guard let session = SessionName(session) else { throw Failure.badSessionName }
        let scopes = try scope.isEmpty ? nil : Scopes.named(in: scope)
        let wanted = GrantOptions(
            program, session, scopes: scopes, resources: try resource.map { try LoginCommand.resource($0) },
            kinds: idToken ? [.access, .id] : [.access], try life.allowance())
        let context = try Context(options)
        // While sessions are not at hand, whose the session is can be read only with the PIN.
        let known = try await context.sessionsAtHand()?.perform(SessionVerbs.sessions).sessions
            .first { $0.name == session.text }
        let card = GrantCard(adding: wanted, of: known, isChangeable: program.isChangeable)
        try await context.withPIN(toUse: card, for: wanted.life) {
            try options.render(try await $0.perform(SessionVerbs.allowProgram, wanted, pin: $1))
        }
    }
}

struct RevokeGrant: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "End a program's grant.",
        usage: "countersign grants revoke <id> [--cut] [<options>]",
        discussion: """
              countersign grants revoke 3f9a1c22

            Tokens that the program has stay good until they run out. --cut ends them at the issuer, if the issuer supports that, \
            also in other programs' hands. At some issuers that ends the session. On a terminal it asks first.
            """)

    @Argument(help: "The grant's id, as grants prints it, or its beginning.") var id: String
    @Flag(help: "Also end its tokens at the issuer, which other programs may have too.") var cut = false
    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.") var yes = false
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let context = try Context(options)
        try await context.with(.sessions) { sessions in
            let meant = try await context.meant(by: id, isAsked: !yes) {
                try await sessions.perform(SessionVerbs.grants).grants.map { ($0.id, .revoke($0, cut: cut)) }
            }
            try options.render(try await sessions.perform(SessionVerbs.revoke, on: meant, RevokeOptions(cut: cut)))
        }
    }
}

extension Context {
    /// Shows the card of a grant, asks for the PIN for it, and runs `body` with that PIN. The PIN also unlocks the agent if its sessions are not
    /// at hand, or opens a vault for this command if no agent runs or the PIN is from a file.
    fileprivate func withPIN<R>(
        toUse card: GrantCard, for life: AllowOptions, _ body: (Carrier<any SessionHost>, EnteredPIN) async throws -> R
    ) async throws -> R {
        guard try gate.status().isSet else { throw PINError.notSet }
        let reach = Reach.sessionsAtHand
        let agent = try agent(for: reach)
        return try await withPIN(after: GrantDialogue(adding: card, for: life)) { pin, source in
            if let agent {
                let pin = EnteredPIN.typed(pin, from: source)
                if !reach.isReady(agent.handshake) { try await agent.unlock(pin) }
                return try await body(agent.sessions, pin)
            }
            let opened = try open(with: pin, from: source)
            return try await SessionJob.with(opened.vault, openedBy: nil, self) {
                try await body($0, .proved(opened.proof))
            }
        }
    }

    /// Asks on a terminal whether the entry with this id is meant, and returns its whole id. If no entry or several match, asks
    /// nothing and returns `id`: the next call reports the error.
    fileprivate func meant(
        by id: String, isAsked: Bool, among all: () async throws -> [(id: String, question: Question)]
    ) async throws -> String {
        guard isAsked, terminal.isInteractive, !id.isEmpty else { return id }
        let found = try await all().filter { $0.id.hasPrefix(id) }
        guard let one = found.first, found.count == 1 else { return id }
        try prompts.demand(one.question, isGiven: false, .onTerminal)
        return one.id
    }
}

extension Program {
    /// Whether it is a file that any program of this user could change.
    fileprivate var isChangeable: Bool {
        guard kind == .path || kind == .script else { return false }
        return PeerProgram(file: name.untrusted, isScript: kind == .script).isChangeable
    }
}

extension Failure {
    fileprivate static let interpreter = Failure.usage(
        "this is an interpreter, which runs what others wrote",
        hint: "name the script that it runs: script:/PATH/OF/SCRIPT")
}
