import ArgumentParser
import Basics
import Display
import Glibc
import Sessions

/// What a token is to be good for.
struct TokenOptions: ParsableArguments {
    @Option(
        name: .customLong("min-ttl"),
        help: ArgumentHelp("How long the token must be good at least; else it is renewed.", valueName: "seconds"))
    var minTTL: Int64 = 60
    @Option(
        help: ArgumentHelp(
            "The token that a service rejected, by the first 16 digits of its SHA-256; - reads the token from standard input. If it is the one that would be printed, it is renewed once.",
            valueName: "hex"))
    var rejected: String?

    func validate() throws {
        guard rejected.map({ $0 == "-" || RejectedToken.isDigest($0) }) ?? true else {
            throw ValidationError("--rejected takes 16 to 64 hexadecimal digits, or -")
        }
        guard (0...86400).contains(minTTL) else { throw ValidationError("--min-ttl takes seconds, up to a day") }
    }
}

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Print an access token of a session, renewed if need be.",
        usage: "countersign token [<target>] [<options>]",
        discussion: """
              countersign token fern

            The target is a session's name, its issuer, or the address of a service that the session is for. With one session alone \
            it can be left out. Whoever has the token can use it until it runs out: it belongs into no argument and no file.
            """)

    @Argument(
        help: "A session's name, an issuer, or a service's address.")
    var target: String?
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("A token with this scope alone; may be repeated.", valueName: "scope"))
    var scope: [String] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("A token for this service alone; may be repeated.", valueName: "uri"))
    var resource: [String] = []
    @Flag(help: "Print the whole header that presents the token.") var header = false
    @OptionGroup var token: TokenOptions
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let resources = try resource.map { try LoginCommand.resource($0) }
        var scopes: Scopes?
        if !scope.isEmpty {
            scopes = Scopes(scope.joined(separator: " "))
            guard scopes != nil else {
                throw Failure.usage("this is not a scope", hint: "scopes are printable ASCII without spaces, \" and \\")
            }
        }
        let aim = TokenAim(scopes: scopes, resources: resources)
        try await Context(options).withSessions { sessions in
            let session = try Self.session(target, sessions)
            let payload = try await sessions.token(
                of: session, for: aim, lasting: token.minTTL, rejected: try token.readRejected())
            try options.render(PrintedToken(payload, asHeader: header))
        }
    }

    private static func session(_ target: String?, _ sessions: SessionWorkspace) throws -> SignIn {
        let lookup = try sessions.lookup()
        do throws(SessionError) {
            return try lookup.session(target)
        } catch {
            guard case .noSession = error, let address = target.flatMap({ try? WebAddress($0) }) else { throw error }
            guard let session = try sessions.chooser.session(for: ServiceRequest(address)) else { throw error }
            return session
        }
    }
}

struct HeaderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "header", abstract: "Print the headers for a request to a service, with the token of its session.",
        usage: "countersign header <url> [<options>]",
        discussion: """
              curl -H @<(countersign header https://api.fern.example/v1/me) https://api.fern.example/v1/me

            The session is that of the site that fits (see countersign sites), or else the one that was signed in for this service. \
            Nothing is printed for an address that none is for (exit code 4). The headers are for this address alone: a program must \
            drop them when a service redirects it to another host.

            A program that was answered with 401 or 403 hands on the challenge:

              countersign header https://api.fern.example/v1/me --challenge 'Bearer error="invalid_token"'
            """)

    @Argument(help: "The address that the request goes to.") var url: String
    @Option(help: ArgumentHelp("The request's method. Bearer tokens are the same for each.", valueName: "method"))
    var method = "GET"
    @OptionGroup var challenge: ChallengeOption
    @OptionGroup var token: TokenOptions
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard !method.isEmpty, method.utf8.count <= 32, method.allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "-") })
        else { throw ValidationError("--method takes a word such as POST") }
        guard challenge.challenge != "-" || token.rejected != "-" else {
            throw ValidationError("only one of --challenge and --rejected can be read from standard input")
        }
    }

    func run() async throws {
        let address = try ChallengeOption.address(url)
        try await Context(options).withSessions { sessions in
            let request = ServiceRequest(address, challenge.given(), rejected: try token.readRejected())
            let choice = try await sessions.chooser.choose(for: request)
            let payload = try await sessions.token(
                of: choice.session, for: choice.aim, lasting: token.minTTL, rejected: choice.rejected)
            try options.render(HeadersPayload(payload, site: choice.site?.id, for: choice.resource))
        }
    }
}

extension TokenOptions {
    /// Reads standard input where the option says so, after the PIN if that comes from there.
    func readRejected() throws -> RejectedToken? {
        guard let rejected else { return nil }
        guard rejected == "-" else { return RejectedToken(digest: rejected) }
        return try SecretLine.read(from: STDIN_FILENO, upTo: 65536).map { RejectedToken($0) }
    }
}

extension SessionWorkspace {
    func token(
        of session: SignIn, for aim: TokenAim, lasting seconds: Int64, rejected: RejectedToken?
    ) async throws -> TokenPayload {
        let token = try await keeper.token(of: session, for: aim, lasting: seconds, rejected: rejected)
        let isRefreshable = try store.tokens(of: session.id)?.isRefreshable ?? false
        return TokenPayload(token, of: session, isRefreshable: isRefreshable, at: Moment(clock))
    }
}
