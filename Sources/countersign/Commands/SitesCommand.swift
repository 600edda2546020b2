import Client
import ArgumentParser
import Basics
import Dialogue
import Display
import SessionModel
import Sessions

struct SitesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sites", abstract: "Bind services to the sessions whose tokens they get.",
        usage: "countersign sites [<subcommand>]",
        discussion: """
              countersign sites add https://api.fern.example/v1 --session fern
              countersign sites match https://api.fern.example/v1/me
            """,
        subcommands: [ListSites.self, AddSite.self, RemoveSite.self, MatchSite.self, CheckSites.self],
        defaultSubcommand: ListSites.self)
}

struct ListSites: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the sites.", usage: "countersign sites [list] [<options>]")

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await Context(options).with(.sessions) {
            let answer = try await $0.perform(SiteVerbs.sites)
            options.say(failures: answer.failures?.map(\.text))
            try options.render(answer)
        }
    }
}

struct AddSite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Send a session's tokens to a service.",
        usage: "countersign sites add <prefix> [--session <name>] [<options>]",
        discussion: """
              countersign sites add https://api.fern.example/v1 --session fern

            A prefix is an address: requests to it and below it get the token. A host alone (api.fern.example, or .fern.example for \
            its subdomains) gets it only after it answered with a challenge. The service's metadata (RFC 9728) must name the \
            session's issuer; if it has none, you vouch for it with your PIN.
            """)

    @Argument(help: "An address, a host, or . and a host for its subdomains.") var prefix: String
    @Option(help: "The session's name; not needed if there is only one session.") var session: String?
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Ask for this scope, in addition to the scopes of a challenge; may be repeated.", valueName: "scope")
    )
    var scope: [String] = []
    @Option(help: ArgumentHelp("Ask for tokens that are valid for this service only.", valueName: "uri")) var resource:
        String?
    @Flag(help: "Only for requests that the service answers with a challenge.") var onChallenge = false
    @Option(help: ArgumentHelp("Only for challenges of this realm.", valueName: "text")) var realm: String?
    @Option(help: ArgumentHelp("The user name if git sends the token as a password.", valueName: "name"))
    var username: String?
    @Flag(name: .shortAndLong, help: "Do not ask if the service has no metadata.") var yes = false
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard realm == nil || onChallenge || prefix.firstRange(of: "://") == nil else {
            throw ValidationError("--realm is for --on-challenge")
        }
    }

    func run() async throws {
        let wish = try Sites.Wish(
            rule: prefix, session: session, scopes: scope.isEmpty ? nil : scope, resource: resource,
            isOnChallenge: onChallenge, realm: realm, userName: username)
        let context = try Context(options)
        // Without an agent, the PIN that opens the vault is typed before the card is shown, so it is asked for once more.
        try options.render(try await context.with(.sessionsAtHand) { try await bind(wish, in: $0, context) })
    }

    /// Asks for the PIN after the site's card was shown.
    private func bind(
        _ wish: Sites.Wish, in sessions: Carrier<any SessionHost>, _ context: Context
    ) async throws -> OneSitePayload {
        let offer = try await sessions.perform(SiteVerbs.offer, SiteWish(wish))
        var shown = wish
        shown.session = offer.offer.session
        let new = NewSite(shown, proof: offer.proof)
        let dialogue = GrantDialogue(
            offer, isAgreed: yes, hasPIN: options.effectivePINFile != nil, before: context.prompts.audience)
        return try await context.withPIN(after: dialogue) {
            try await sessions.perform(SiteVerbs.add, new, pin: .typed($0, from: $1))
        }
    }
}

struct RemoveSite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Send no more tokens to a service.",
        usage: "countersign sites remove <id> [<options>]",
        discussion: "Tokens that programs have stay good until they run out.")

    @Argument(help: "A site's id or prefix, as sites prints it.") var id: String
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        guard !id.isEmpty else { throw SessionError.noSite(wanted: id) }
        try await Context(options).with(.sessions) {
            try options.render(try await $0.perform(SiteVerbs.remove, on: id))
        }
    }
}

struct MatchSite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match", abstract: "Show which site fits a request, and why the others do not.",
        usage: "countersign sites match <url> [--challenge <text>] [<options>]",
        discussion: """
              countersign sites match https://api.fern.example/v1/me --challenge 'Bearer realm="fern"'

            Nothing is sent, and no token is printed. The exit code is 4 if no site fits.
            """)

    @Argument(help: "The address that the request goes to.") var url: String
    @OptionGroup var challenge: ChallengeOption
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let address = try ChallengeOption.address(url)
        try await Context(options).with(.sessions) { sessions in
            let request = SiteMatchRequest(url: address, challenge: challenge.lines())
            let match = try await sessions.perform(SiteVerbs.match, request)
            try options.render(match)
            guard match.match != nil else { throw ExitCode(Failure.Kind.notFound.exitCode) }
        }
    }
}

struct CheckSites: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check sites against the metadata of their services.",
        usage: "countersign sites check [<id>] [<options>]",
        discussion: "The exit code is 1 if a service names another issuer, or cannot be asked.")

    @Argument(help: "A site's id or prefix; by default all of them.") var id: String?
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await Context(options).with(.sessions) { sessions in
            let checks = try await sessions.perform(SiteVerbs.check, SiteCheckRequest(site: id))
            try options.render(checks)
            guard checks.isGood else { throw ExitCode(Failure.Kind.internal.exitCode) }
        }
    }
}

/// The challenge in a service's answer to a request.
struct ChallengeOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The WWW-Authenticate header of the service's answer, empty for a 401 without one; - reads it from standard input.",
            valueName: "text"))
    var challenge: String?

    /// The lines in the form of `HeadersRequest`. If the option is `-`, reads standard input to its end, after the PIN if that
    /// comes from there.
    func lines() -> [String]? {
        guard let challenge else { return nil }
        guard challenge == "-" else { return [challenge] }
        var lines: [String] = []
        while let line = StandardInput.line() { lines.append(line) }
        return lines
    }

    static func address(_ text: String) throws -> WebAddress {
        do {
            return try WebAddress(text)
        } catch {
            throw Failure.usage(error.reason, hint: "give the whole address: https://HOST/PATH")
        }
    }
}
