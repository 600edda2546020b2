import Client
import ArgumentParser
import Basics
import Dialogue
import Display
import FoundationEssentials
import Keys
import SessionModel
import Sessions
import Web

struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Sign in at an OAuth or OpenID issuer, once for all programs.",
        usage: "countersign login [<target>] [<options>]",
        discussion: """
              countersign login https://id.fern.example
              countersign token fern

            You sign in on the issuer's page in your browser, so your password stays there. The session is sealed on this \
            computer, and its refresh token is never handed out. The target is the address of an issuer, the address of a \
            service that names its issuer, or the name of a session to sign in to again.

            If the issuer does not register programs, register a native client there and name it:

              countersign login https://id.fern.example --client-id 7f3a --redirect-uri http://127.0.0.1/callback

            On a computer without a browser, --device shows a code to enter on another one, if the issuer supports that.

            While an agent is open, it takes no PIN of its own, unless it reads a client's secret.
            """)

    @Argument(help: "An issuer, a service, or a session's name; - reads it from standard input.")
    var target: String?
    @Option(
        help: ArgumentHelp(
            "Read issuer, client and requests from this file; see countersign-sessions(7).", valueName: "file"),
        completion: .file())
    var from: String?
    @Option(help: ArgumentHelp("The issuer to use if a service names several.", valueName: "url"))
    var issuer: String?
    @Option(help: "The session's name; by default, derived from the issuer's host.") var name: String?
    @Option(help: ArgumentHelp("A client that you registered at the issuer.", valueName: "id"))
    var clientID: String?
    @Option(
        help: ArgumentHelp("Read that client's secret from the first line of this file.", valueName: "path"),
        completion: .file())
    var clientSecretFile: String?
    @Option(
        name: .customLong("redirect-uri"),
        help: ArgumentHelp("The redirect address of that client; without a port, any port is used.", valueName: "uri"))
    var redirectURI: String?
    @Option(parsing: .singleValue, help: ArgumentHelp("Ask for this scope; may be repeated.", valueName: "scope"))
    var scope: [String] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Ask for tokens that are valid for this service; may be repeated.", valueName: "uri"))
    var resource: [String] = []
    @Option(help: ArgumentHelp("The account to sign in with, as a hint to the page.", valueName: "name"))
    var account: String?
    @Flag(help: "Ask for a session that can be renewed without you (offline_access).") var offline = false
    @Flag(help: "Sign in anew, even if the issuer's page remembers you.") var fresh = false
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "A question that the issuer's page must ask: consent or select_account; may be repeated.", valueName: "what"
        ),
        completion: .list(LoginPrompt.allCases.map(\.rawValue)), transform: Self.prompt)
    var prompt: [LoginPrompt] = []
    @Option(help: ArgumentHelp("The greatest age of your sign-in at the issuer, in seconds.", valueName: "seconds"))
    var maxAge: Int?
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Ask for this strength of sign-in (acr); may be repeated.", valueName: "value"))
    var acr: [String] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Add this parameter to requests, for an issuer that requires it; may be repeated.", valueName: "k=v"))
    var parameter: [String] = []
    @OptionGroup var signOut: SignOutWords
    @Option(
        help:
            "How the issuer's page leads back: to this computer's loopback address, by the desktop's link handler, or by an address that you paste. By default, as the client is registered."
    )
    var callback: PageWay?
    @Flag(help: "Show a code to enter on the issuer's page, on any computer.") var device = false
    @Flag(help: "Print the address of the issuer's page instead of opening it.") var noBrowser = false
    @Option(help: ArgumentHelp("Minutes to wait for the issuer's page.", valueName: "min")) var timeout: Double = 10
    @Flag(name: .shortAndLong, help: "Do not ask to confirm the issuer's hosts.") var yes = false
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard timeout > 0, timeout <= 1440 else { throw ValidationError("--timeout takes minutes, up to 1440") }
        guard maxAge.map({ (0...31_536_000).contains($0) }) ?? true else {
            throw ValidationError("--max-age takes seconds, up to a year")
        }
        guard clientID != nil || from != nil || (clientSecretFile == nil && redirectURI == nil) else {
            throw ValidationError("--client-secret-file and --redirect-uri need --client-id")
        }
        guard target == nil || from == nil else {
            throw ValidationError("--from names the issuer; leave the target out")
        }
        guard issuer == nil || from == nil else {
            throw ValidationError("--from names the issuer; leave --issuer out")
        }
        // The device flow has no place for them (RFC 8628 section 3.1).
        let returns = callback ?? .loopback
        let asksPage = account != nil || fresh || !prompt.isEmpty || maxAge != nil || !acr.isEmpty
        guard !device || (!asksPage && returns == .loopback) else {
            throw ValidationError(
                "--device takes none of --account, --fresh, --prompt, --max-age, --acr and --callback")
        }
    }

    func run() async throws {
        let context = try Context(options)
        let file = try from.map { try IssuerFile.read(path: $0, now: context.clock.now()) }
        let foreign = try foreignSecret(file?.profile)
        let (request, secret) = try request(file, context)
        let early = try early(context)
        func complete() -> LoginRequest {
            var request = request
            if from == nil {
                request.origin = .target(PastedAddress.mended(early ?? StandardInput.line() ?? ""))
            }
            return request
        }
        guard secret != nil || request.takesOwnPIN else {
            return try await context.with(.sessionsAtHand, mayChoosePIN: true) { sessions in
                try await run(complete(), nil, sessions, nil, context)
            }
        }
        // Runs in this process: a secret must not pass through JSON, and setting how long a session stays needs the PIN.
        try await context.with(.ownSessions, mayChoosePIN: true) { sessions in
            try await run(complete(), secret, sessions, foreign, context)
        }
    }

    /// The target, unless it is read from standard input, or the issuer file names it.
    private func early(_ context: Context) throws -> String? {
        guard target != "-", from == nil else { return nil }
        return try target
            ?? context.terminal.line(
                "Issuer: ",
                missing: Failure(
                    .locked, "no issuer is given, and there is no terminal to ask for it",
                    hint: "give its address as an argument, or - to read it"))
    }

    private func run(
        _ request: LoginRequest, _ secret: SecretSlot?, _ sessions: Carrier<any SessionHost>, _ secretFile: String?,
        _ context: Context
    ) async throws {
        let (offer, steps) = try await Terminal.saying("Looking for the issuer") {
            try await sessions.login(request, patience: .seconds(60 * timeout), secret: secret)
        }
        let signals = LoginSignals()
        let run = PageRun(
            signals.ending(steps), answer: { try context.prompts.answer($0) },
            wayBack: device ? nil : { try await wayBack(offer, context) })
        let signedIn = try await run.run(
            PageDialogue(signingIn: offer, secretFile: secretFile, isAgreed: yes, before: context.prompts.audience))
        signals.letGo()
        if let notice = signedIn.notice { Terminal.say(DisplayText(answered: notice).line) }
        try options.render(SignedIn(signedIn.session))
        for line in LoginAdvice.lines(signedIn) { Terminal.say(line) }
        // A failure to settle other sessions does not undo this login.
        try? await sessions.settle()
    }

    private func wayBack(_ offer: LoginOfferPayload, _ context: Context) async throws -> PageCallback {
        let shown = TerminalShow(
            of: "the issuer", patience: " for \(Self.words(minutes: timeout))", usesBrowser: !noBrowser,
            takesPastedAddress: context.terminal.isInteractive)
        return try await .issuer(
            offer, callback, shown, minutes: timeout, home: context.database.directory.path, words: .signIn)
    }

    private static func words(minutes: Double) -> String {
        switch minutes {
        case 1: "a minute"
        case ..<1: "\(Int((minutes * 60).rounded(.up))) seconds"
        default: "\(Int(minutes.rounded(.up))) minutes"
        }
    }

    /// Everything but the target, which may come from standard input after the PIN; and the client's secret, if it has one.
    private func request(
        _ file: (text: String, profile: IssuerProfile)?, _ context: Context
    ) throws -> (LoginRequest, SecretSlot?) {
        // Without a file, replaced before it is used.
        var request = LoginRequest(file.map { .profile($0.text) } ?? .target(""))
        request.issuer = try issuer.map { text in
            guard let issuer = Issuer(text) else { throw Failure.badIssuer }
            return issuer
        }
        request.name = try name.map { text in
            guard let name = SessionName(text) else { throw Failure.badSessionName }
            return name
        }
        if !scope.isEmpty {
            guard let scopes = Scopes(scope.joined(separator: " ")) else {
                throw Failure.badScope
            }
            request.scopes = scopes
        }
        request.resources = try resource.map { try Self.resource($0) }
        request.clientID = clientID
        request.redirectURI = redirectURI ?? ownRedirectURI(file?.profile)
        let secretFile = clientSecretFile ?? (clientID == nil ? file?.profile.secretFile : nil)
        let secret = try secretFile.map { SecretSlot(try PINFile(path: $0, secret: "client secret").lines(1)[0]) }
        _ = try request.client(file?.profile, secret: secret)
        request.account = account
        request.isOffline = offline
        request.isFresh = fresh
        request.prompts = prompt
        request.maxAge = maxAge
        request.acrValues = acr
        request.parameters = parameter
        request.languages = context.settings.languages ?? LanguageTags(locale: Environment.locale)
        request.isForDevice = device
        (request.signOut, request.keep) = (try signOut.rule(), signOut.keep)
        return (request, secret)
    }

    /// This program's own redirect address, for a registered client with `--callback scheme` and no redirect address. The session
    /// keeps it for later logins.
    private func ownRedirectURI(_ file: IssuerProfile?) -> String? {
        guard callback == .scheme, clientID != nil || (file?.clientID != nil && file?.redirectURI == nil) else {
            return nil
        }
        return OwnScheme.callback
    }

    /// The file from which the issuer file takes a secret, if the person did not name that file. The person must confirm it: the
    /// author of an issuer file could otherwise make this program send the issuer the first line of any of the person's files.
    /// Throws with `--yes`, which skips the question.
    private func foreignSecret(_ file: IssuerProfile?) throws -> String? {
        guard clientID == nil, clientSecretFile == nil, let path = file?.secretFile else { return nil }
        guard !yes else {
            throw Failure.usage(
                "the issuer file sends the issuer a secret from \(DisplayText(path).line(within: 200)), and --yes does not cover that",
                hint: "name that file, too: --client-secret-file")
        }
        return path
    }

    private static func prompt(_ text: String) throws -> LoginPrompt {
        guard let prompt = LoginPrompt(rawValue: text) else {
            throw ValidationError("--prompt takes consent or select_account")
        }
        return prompt
    }

    static func resource(_ text: String) throws -> ResourceIndicator {
        guard let resource = ResourceIndicator(text) else { throw Failure.badResource }
        return resource
    }
}
