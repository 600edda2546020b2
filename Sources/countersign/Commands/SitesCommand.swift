import ArgumentParser
import Basics
import Display
import Pinentry
import Sessions

struct SitesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sites", abstract: "Say which services get which session's tokens.",
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
        try await Context(options).withOwnSessions { sessions in
            let all = try sessions.store.sessions()
            let sites = try sessions.store.sites().compactMap { site in
                all.first { $0.id == site.session }.map { SitePayload(site, of: $0) }
            }
            try options.render(SitesPayload(sites))
        }
    }
}

struct AddSite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Send a session's tokens to a service.",
        usage: "countersign sites add <prefix> [--session <name>] [<options>]",
        discussion: """
              countersign sites add https://api.fern.example/v1 --session fern

            The prefix is an address: requests to it, and to what lies under it, get the token. A host alone (api.fern.example, or \
            .fern.example for its subdomains) gets one only when it answers with a challenge. What the service says of itself \
            (RFC 9728) must name the session's issuer; where it says nothing, you are asked.
            """)

    @Argument(help: "An address, a host, or . and a host for its subdomains.") var prefix: String
    @Option(help: "The session's name; with one session alone it can be left out.") var session: String?
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "A token with this scope, and with those that the service asks for; may be repeated.", valueName: "scope")
    )
    var scope: [String] = []
    @Option(help: ArgumentHelp("A token for this service of the session's alone.", valueName: "uri")) var resource:
        String?
    @Flag(help: "Only for requests that the service answers with a challenge.") var onChallenge = false
    @Option(help: ArgumentHelp("Only for challenges of this realm.", valueName: "text")) var realm: String?
    @Option(help: ArgumentHelp("The user name where git sends the token as a password.", valueName: "name"))
    var username: String?
    @Flag(name: .shortAndLong, help: "Do not ask where the service does not say what it belongs to.") var yes = false
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard realm == nil || onChallenge || !prefix.contains("://") else {
            throw ValidationError("--realm is for --on-challenge")
        }
    }

    func run() async throws {
        var wish = Sites.Wish(try Self.rule(prefix), session: session)
        if !scope.isEmpty { wish.scopes = try Scopes.named(in: scope) }
        wish.resource = try resource.map { try LoginCommand.resource($0) }
        wish.isOnChallenge = onChallenge
        wish.realm = realm
        wish.userName = try username.map { try Self.userName($0) }
        let context = try Context(options)
        try await context.withOwnSessions { [wish] sessions in
            let offer = try await sessions.sites.offer(wish)
            if offer.metadata == nil { try confirm(offer.session, context) }
            let site = try sessions.sites.bind(offer)
            try options.render(OneSitePayload(SitePayload(site, of: offer.session)))
        }
    }

    private static func rule(_ text: String) throws -> SiteRule {
        do {
            return try SiteRule(reading: text)
        } catch {
            throw Failure.usage(
                error.reason, hint: "give an address such as https://api.fern.example/v1, or a host alone")
        }
    }

    /// It goes into a line of git's protocol.
    private static func userName(_ text: String) throws -> String {
        guard !text.isEmpty, text.utf8.count <= 255,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") })
        else { throw Failure.usage("this is not a user name", hint: "printable ASCII without spaces and colons") }
        return text
    }

    private func confirm(_ session: SignIn, _ context: Context) throws {
        let place = DisplayText(prefix).line(within: 200)
        let words = "\(place) does not say which issuer it belongs to. It will get tokens of \(session.name.text)"
        if yes {
            Terminal.say(words)
            return
        }
        guard context.prompts.canAsk else {
            throw Failure(.locked, words + ": nobody is here to say yes", hint: "add --yes when this is right")
        }
        let isAgreed = try context.prompts.confirm(
            words + ". Continue?",
            PinentryQuestion(
                "Send tokens to this service?",
                details: [PinentryQuestion.line("Service", DisplayText(prefix)), DisplayText(words)], ok: "Send tokens")
        )
        guard isAgreed else { throw Failure.cancelled }
    }
}

struct RemoveSite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Send no more tokens to a service.",
        usage: "countersign sites remove <id> [<options>]",
        discussion: "What programs hold already is good until it runs out.")

    @Argument(help: "A site's id or prefix, as sites prints it.") var id: String
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await Context(options).withOwnSessions { sessions in
            try options.render(RemovedSitePayload(try sessions.sites.remove(id)))
        }
    }
}

struct MatchSite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match", abstract: "Tell which site is for a request, and why the others are not.",
        usage: "countersign sites match <url> [--challenge <text>] [<options>]",
        discussion: """
              countersign sites match https://api.fern.example/v1/me --challenge 'Bearer realm="fern"'

            Nothing is sent, and no token is printed. The exit code is 4 where no site fits.
            """)

    @Argument(help: "The address that the request goes to.") var url: String
    @OptionGroup var challenge: ChallengeOption
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let address = try ChallengeOption.address(url)
        try await Context(options).withOwnSessions { sessions in
            let request = ServiceRequest(address, SiteMatcher.Given(challenge.lines()))
            let judged = SiteMatcher(try sessions.store.sites()).judge(request.address, request.given)
            let session = try sessions.chooser.session(for: request)
            try options.render(SiteMatchPayload(judged, session: session?.name))
            guard session != nil else { throw ExitCode(Failure.Kind.notFound.exitCode) }
        }
    }
}

struct CheckSites: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Ask services what they say of themselves now.",
        usage: "countersign sites check [<id>] [<options>]",
        discussion: "The exit code is 1 where a service says that it belongs elsewhere, or cannot be asked.")

    @Argument(help: "A site's id or prefix; by default all of them.") var id: String?
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await Context(options).withOwnSessions { sessions in
            let checks = SiteChecksPayload(try await sessions.sites.check(id))
            try options.render(checks)
            guard checks.isGood else { throw ExitCode(Failure.Kind.internal.exitCode) }
        }
    }
}

/// What a service answered a request with.
struct ChallengeOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The WWW-Authenticate that the service answered with, or nothing for a 401 without one; - reads it from standard input.",
            valueName: "text"))
    var challenge: String?

    /// Reads standard input to its end where the option says so, after the PIN if that comes from there.
    ///
    /// The lines as `HeadersRequest` takes them.
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
