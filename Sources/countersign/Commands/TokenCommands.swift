import ArgumentParser
import Basics
import Display
import Glibc
import Sessions

/// What a token is to be good for.
struct TokenOptions: ParsableArguments {
    @Option(
        name: .customLong("min-ttl"),
        help: ArgumentHelp(
            "How long the token must be good at least, as far as the issuer's tokens last so long; else it is renewed. (default: 60, or half of a short life)",
            valueName: "seconds"))
    var minTTL: Int64?
    @Option(
        help: ArgumentHelp(
            "The token that a service rejected, by the first 16 digits of its SHA-256; - reads the token from standard input. If it is the one that would be printed, it is renewed once.",
            valueName: "hex"))
    var rejected: String?
    @Option(
        help: ArgumentHelp(
            "Of a program: how long you may take to allow it, up to 120; by default it does not wait.",
            valueName: "seconds"))
    var wait: Int64 = 0

    func validate() throws {
        guard rejected.map({ $0 == "-" || RejectedToken.isDigest($0) }) ?? true else {
            throw ValidationError("--rejected takes 16 to 64 hexadecimal digits, or -")
        }
        guard (0...86400).contains(minTTL ?? 0) else { throw ValidationError("--min-ttl takes seconds, up to a day") }
        guard (0...120).contains(wait) else { throw ValidationError("--wait takes seconds, up to 120") }
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
        help: ArgumentHelp("Ask for only this scope; may be repeated.", valueName: "scope"))
    var scope: [String] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("A token for this service alone; may be repeated.", valueName: "uri"))
    var resource: [String] = []
    @Flag(help: "Print the ID token, which says who you are, in place of an access token.") var idToken = false
    @Flag(help: "Print the whole header that presents the token.") var header = false
    @OptionGroup var token: TokenOptions
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard !idToken || (scope.isEmpty && resource.isEmpty) else {
            throw ValidationError("an ID token has no --scope and no --resource")
        }
    }

    func run() async throws {
        let resources = try resource.map { try LoginCommand.resource($0) }
        let aim = TokenAim(scopes: try scope.isEmpty ? nil : Scopes.named(in: scope), resources: resources)
        try await Context(options).withSessions { sessions in
            let request = TokenRequest(target: target, aim: aim, kind: idToken ? .id : .access, try token.terms())
            try options.render(PrintedToken(try await sessions.token(request), asHeader: header))
        }
    }

    /// The same without any option.
    static func run(target: String?) async throws {
        let options = Options()
        try await Context(options, callsInPlace: true).withSessions { sessions in
            let request = TokenRequest(target: target, try TokenTerms())
            try options.render(PrintedToken(try await sessions.token(request), asHeader: false))
        }
    }
}

struct HeaderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "header", abstract: "Print the headers for a request to a service, with the token of its session.",
        usage: "countersign header <url> [<options>]",
        discussion: """
              countersign header URL | curl -H @- URL

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
        guard HTTPToken(method) != nil else { throw ValidationError("--method takes a word such as POST") }
        guard challenge.challenge != "-" || token.rejected != "-" else {
            throw ValidationError("only one of --challenge and --rejected can be read from standard input")
        }
    }

    func run() async throws {
        let address = try ChallengeOption.address(url)
        try await Context(options).withSessions { sessions in
            let request = HeadersRequest(
                url: address, method: HTTPToken(method), challenge: challenge.lines(), try token.terms())
            try options.render(try await sessions.headers(request))
        }
    }

    /// The same without any option.
    static func run(url: String) async throws {
        let address = try ChallengeOption.address(url)
        let options = Options()
        try await Context(options, callsInPlace: true).withSessions { sessions in
            try options.render(
                try await sessions.headers(HeadersRequest(url: address, challenge: nil, try TokenTerms())))
        }
    }
}

extension TokenOptions {
    /// Reads the rejected token from standard input where the option says so, after the PIN if that comes from there.
    func terms() throws -> TokenTerms {
        try TokenTerms(lasting: minTTL, rejected: try digest(), wait: wait)
    }

    private func digest() throws -> String? {
        guard let rejected, rejected == "-" else { return rejected }
        return try SecretLine.read(from: STDIN_FILENO, upTo: 65536).map { RejectedToken.digest(of: $0) }
    }
}
