import ArgumentParser
import Basics
import Display
import Sessions

/// What a token is to be good for.
struct TokenOptions: ParsableArguments {
    @Option(
        name: .customLong("min-ttl"),
        help: ArgumentHelp("How long the token must be good at least; else it is renewed.", valueName: "seconds"))
    var minTTL: Int64 = 60
    @Flag(help: "A service rejected the token: renew it once, although it looks good.") var rejected = false

    func validate() throws {
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
            let payload = try await sessions.token(of: session, for: aim, by: token)
            try options.render(PrintedToken(payload, asHeader: header))
        }
    }

    private static func session(_ target: String?, _ sessions: SessionWorkspace) throws -> SignIn {
        let lookup = try sessions.lookup()
        do throws(SessionError) {
            return try lookup.session(target)
        } catch {
            guard case .noSession = error, let address = target.flatMap({ try? WebAddress($0) }) else { throw error }
            return try sessions.session(for: address).0
        }
    }
}

struct HeaderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "header", abstract: "Print the headers for a request to a service, with the token of its session.",
        usage: "countersign header <url> [<options>]",
        discussion: """
              curl -H @<(countersign header https://api.fern.example/v1/me) https://api.fern.example/v1/me

            The session is the one that was signed in for this service: by its address, or with --resource. Nothing is printed for an \
            address that no session is for (exit code 4). The headers are for this address alone: a program must drop them when a \
            service redirects it to another host.
            """)

    @Argument(help: "The address that the request goes to.") var url: String
    @OptionGroup var token: TokenOptions
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let address: WebAddress
        do {
            address = try WebAddress(url)
        } catch {
            throw Failure.usage(error.reason, hint: "give the whole address: countersign header https://HOST/PATH")
        }
        try await Context(options).withSessions { sessions in
            let (session, resource) = try sessions.session(for: address)
            // A service gets no token that another one takes, where the issuer can tell them apart.
            let aim = session.resources.count > 1 ? TokenAim(resources: [resource]) : .whole
            let payload = try await sessions.token(of: session, for: aim, by: token)
            try options.render(HeadersPayload(payload, for: resource))
        }
    }
}

extension SessionWorkspace {
    fileprivate func session(for address: WebAddress) throws -> (SignIn, ResourceIndicator) {
        try lookup().session(for: address) { session in
            guard let tokens = try? store.tokens(of: session.id) else { return true }
            return tokens.end != nil
        }
    }

    fileprivate func token(
        of session: SignIn, for aim: TokenAim, by wish: TokenOptions
    ) async throws -> TokenPayload {
        let token = try await keeper.token(
            of: session, for: aim, lasting: wish.minTTL, isRejected: wish.rejected)
        let isRefreshable = try store.tokens(of: session.id)?.isRefreshable ?? false
        return TokenPayload(token, of: session, isRefreshable: isRefreshable, at: Moment(clock))
    }
}
