import Client
import ArgumentParser
import Basics
import FoundationEssentials
import Glibc
import SessionModel
import Sessions
import Vault

/// House rule of helpers: standard output belongs to the protocol, standard error to people, and the terminal to questions.
struct HelperCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "helper", abstract: "Give tokens to other programs by their own protocols.",
        usage: "countersign helper <subcommand>", subcommands: [GitHelper.self, KubernetesHelper.self])

    /// The context of a helper: it asks only on the terminal, and asks nothing without one. Editors run helpers again and again by
    /// themselves, and would open windows that nobody waits for.
    static func context(_ options: GlobalOptions) throws -> Context {
        var (options, settings) = (options.values, try Settings.load())
        settings.pinPrompt = .terminal
        if !Terminal(noInput: options.noInput).isInteractive { options.noInput = true }
        return try Context(options, settings: settings)
    }
}

struct GitHelper: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "git", abstract: "Act as a credential helper for git.",
        usage: "countersign helper git <operation> [<options>]",
        discussion: """
              countersign sites add https://git.fern.example --session fern
              git config --global credential.https://git.fern.example.helper countersign

            git gets the token of the site that fits the server: from git 2.46 on as a bearer token, before that as the password of \
            oauth2. If no site fits, nothing is printed, and git asks its next helper. A site with a path needs \
            credential.useHttpPath. The helper is also installed as git-credential-countersign.
            """)

    @Argument(help: "get, store, erase or capability.") var operation: String
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        if operation == "capability" { return try Terminal.result(GitCredential.capabilities) }
        // Ignores `store`, since git's credentials are not kept here, and the operations of other git versions.
        guard ["get", "erase"].contains(operation) else { return }
        var lines: [String] = []
        while let line = StandardInput.line(), !line.isEmpty {
            // A server writes the challenges, so the request may be too long. Ignore a request that cannot be read whole.
            guard line.utf8.count < StandardInput.longestLine, lines.count < 1024 else { return }
            lines.append(line)
        }
        let asked = GitCredential(lines)
        guard var request = asked.request, operation == "get" || asked.secret != nil else { return }
        // git erases a token that was rejected. Renew it now if git would get the same token again.
        if operation == "erase" {
            guard asked.wasSent != false else { return }
            request.terms.rejected = asked.secret.map { RejectedToken.digest(of: Array($0.utf8)) }
        }
        var options = options
        if Environment.value("GIT_TERMINAL_PROMPT") == "0" { options.noInput = true }
        let context = try Self.context(options)
        // Without a PIN there are no sites.
        guard try context.gate.status().isSet else { return }
        try await context.with(.sessions) { [request] sessions in
            let given: HeadersPayload
            do {
                given = try await sessions.perform(SessionVerbs.headers, request)
            } catch let error
                where Failure(error).kind == .notFound || (Failure(error).kind == .locked && !context.hasTerminal)
            {
                // Print nothing: git goes on with its next helper, or asks the person.
                return
            }
            guard operation == "get" else { return }
            try Terminal.result(asked.answer(given.token, userName: given.username, expiry: given.expiresAt?.date))
        }
    }

    /// git uses standard input, so questions are asked on this process's controlling terminal, if it has one.
    private static func context(_ options: GlobalOptions) throws -> Context {
        guard options.effectivePINFile?.path != "-" else {
            throw Failure.usage("standard input belongs to git", hint: "give the PIN's file by its path")
        }
        if !options.noInput {
            let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
            if terminal >= 0 {
                // Both descriptors are this process's own; the first one stays open for its life.
                dup2(terminal, STDIN_FILENO)
                close(terminal)
            }
        }
        return try HelperCommand.context(options)
    }
}

struct KubernetesHelper: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kubernetes", abstract: "Act as a credential plugin for kubectl and other Kubernetes clients.",
        usage: "countersign helper kubernetes --session <name> [<options>]",
        discussion: """
            As users[].user.exec in a kubeconfig:

              apiVersion: client.authentication.k8s.io/v1
              command: countersign
              args: [helper, kubernetes, --session, fern]
              interactiveMode: IfAvailable

            --id-token is for clusters that authenticate people by ID tokens. A client cannot report that a cluster rejected its \
            token. If one does, renew the token yourself:

              countersign token fern | countersign token fern --rejected -
            """)

    @Option(help: "The session whose token to print.") var session: String
    @Option(help: ArgumentHelp("Ask for a token that is valid for this service only.", valueName: "uri")) var resource:
        String?
    @Flag(help: "Print the ID token instead of an access token.") var idToken = false
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard !idToken || resource == nil else { throw ValidationError("an ID token has no --resource") }
    }

    func run() async throws {
        let asked = try KubernetesCredential(Environment.value("KUBERNETES_EXEC_INFO"))
        let resource = try resource.map { try LoginCommand.resource($0) }
        var options = options
        if !asked.isInteractive { options.noInput = true }
        let request = TokenRequest(
            target: session, aim: TokenAim(resources: resource.map { [$0] } ?? []), kind: idToken ? .id : .access,
            try TokenTerms())
        try await HelperCommand.context(options).with(.sessions) { sessions in
            let given = try await sessions.perform(SessionVerbs.token, request).token
            try Terminal.result(try asked.answer(given.value, until: given.secondsLeft.map(Self.until)))
        }
    }
}

extension KubernetesHelper {
    /// When the client should ask again, for a token that is good for `left` seconds.
    private static func until(_ left: Int64) -> Date {
        SystemClock.live.now() + TimeInterval(AccessToken.kept(of: left))
    }
}

extension HeadersPayload {
    /// The token alone.
    fileprivate var token: String { headers.first.map { String($0.value.drop { $0 != " " }.dropFirst()) } ?? "" }
}
