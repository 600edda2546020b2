import Client
import ArgumentParser
import Basics
import Display
import Glibc
import SessionModel
import Sessions

/// The requirements on a token.
struct TokenOptions: ParsableArguments {
    @Option(
        name: .customLong("min-ttl"),
        help: ArgumentHelp(
            "Renew the token if it is good for fewer seconds than this, as far as the issuer's tokens last. (default: 60, or half of a short life)",
            valueName: "seconds"))
    var minTTL: Int64?
    @Option(
        help: ArgumentHelp(
            "A token that the service rejected, by the first 16 digits of its SHA-256; - reads the token itself from standard input. If it is the current token, it is renewed once.",
            valueName: "hex"))
    var rejected: String?
    @Option(
        help: ArgumentHelp(
            "Seconds to wait for you to allow the request of a program, at most 120.",
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
        commandName: "token", abstract: "Print an access token of a session, and renew it if needed.",
        usage: "countersign token [<target>] [<options>]",
        discussion: """
              countersign token fern

            The target is a session's name, its issuer, or the address of a service of the session. It is not needed if there is \
            only one session. Anybody who has the token can use it until it runs out, so keep it out of arguments and files.
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
        help: ArgumentHelp("Ask for a token that is valid for this service only; may be repeated.", valueName: "uri"))
    var resource: [String] = []
    @Flag(help: "Print the ID token, which names you, instead of an access token.") var idToken = false
    @Flag(help: "Print the whole Authorization header.") var header = false
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
        try await Context(options).with(.sessions) { sessions in
            let request = TokenRequest(target: target, aim: aim, kind: idToken ? .id : .access, try token.terms())
            try options.render(PrintedToken(try await sessions.perform(SessionVerbs.token, request), asHeader: header))
        }
    }

    /// The same without any option.
    static func run(target: String?) async throws {
        let options = Options()
        try await Context(options, callsInPlace: true).with(.sessions) { sessions in
            let request = TokenRequest(target: target, try TokenTerms())
            try options.render(PrintedToken(try await sessions.perform(SessionVerbs.token, request), asHeader: false))
        }
    }
}

struct HeaderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "header", abstract: "Print the headers for a request to a service, with the token of its session.",
        usage: "countersign header <url> [<options>]",
        discussion: """
              countersign header URL | curl -H @- URL

            The site that fits decides about the session (see countersign sites), or else the session that was signed in for this \
            service. If neither fits, nothing is printed (exit code 4). The headers are for this address alone: a program must drop \
            them when a service redirects it to another host.

            After a 401 or 403, pass the challenge on:

              countersign header https://api.fern.example/v1/me --challenge 'Bearer error="invalid_token"'
            """)

    @Argument(help: "The address that the request goes to.") var url: String
    @Option(help: ArgumentHelp("The request's method; bearer tokens do not depend on it.", valueName: "method"))
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
        try await Context(options).with(.sessions) { sessions in
            let request = HeadersRequest(
                url: address, method: HTTPToken(method), challenge: challenge.lines(), try token.terms())
            try options.render(try await sessions.perform(SessionVerbs.headers, request))
        }
    }

    /// The same without any option.
    static func run(url: String) async throws {
        let address = try ChallengeOption.address(url)
        let options = Options()
        try await Context(options, callsInPlace: true).with(.sessions) { sessions in
            let request = HeadersRequest(url: address, challenge: nil, try TokenTerms())
            try options.render(try await sessions.perform(SessionVerbs.headers, request))
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
