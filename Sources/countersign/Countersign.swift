import Client
import ArgumentParser
import Approvals
import Basics
import CPlatform
import CTerminal
import Dispatch
import Display
import Glibc
import Cryptography

/// The program. Hardening comes before anything is read, and all errors leave through `leave(by:)`.
@main
struct Countersign: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "countersign",
        abstract: "Confirm payments and logins for your banks, on this computer.",
        discussion: """
            Connect a bank with the link behind its QR code, then see and answer its requests:

              countersign enroll
              countersign pending
              countersign approve fernbank:77

            Exit codes: 0 done, 1 failed, 2 cancelled, 3 locked, a wrong PIN or signed out, 4 no such thing, 5 the bank \
            refused, 6 the bank cannot be reached, 7 no keyring or a damaged item in it, 8 the content changed or expired, 9 the outcome is not known yet, \
            10 an agent runs already, 64 wrong usage.
            """,
        version: ProductVersion.text + String(cString: countersign_build()),
        groupedSubcommands: [
            CommandGroup(
                name: "Bank",
                subcommands: [
                    EnrollCommand.self, ConnectionsCommand.self, RenameCommand.self, ReconnectCommand.self,
                    RevokeCommand.self, PendingCommand.self, ShowCommand.self, ApproveCommand.self, DenyCommand.self,
                    ActCommand.self, WatchCommand.self, WindowCommand.self, ConsentsCommand.self, HistoryCommand.self,
                ]),
            CommandGroup(
                name: "Agent",
                subcommands: [AgentCommand.self, UnlockCommand.self, LockCommand.self, StatusCommand.self]),
            CommandGroup(
                name: "Sign-in",
                subcommands: [
                    LoginCommand.self, SessionsCommand.self, TokenCommand.self, HeaderCommand.self, LogoutCommand.self,
                    SitesCommand.self, HelperCommand.self, RequestsCommand.self, AllowCommand.self, RefuseCommand.self,
                    GrantsCommand.self,
                ]),
            CommandGroup(name: "Other", subcommands: [PINCommand.self, OpenCommand.self, DoctorCommand.self]),
        ])

    /// The words after the program's name. Started under the name of git's helper, the program acts as `helper git`.
    private static let words: [String] = {
        let given = CommandLine.arguments
        let name = given.first?.split(separator: "/").last
        return (name == "git-credential-countersign" ? ["helper", "git"] : []) + given.dropFirst()
    }()

    static func main() {
        // Before the process is protected, since a portal refuses a protected process.
        if CommandLine.arguments.first == PortalProcess.name { PortalProcess.run() }
        hideLinks()
        orLeave { try ProcessHardening.apply() }
        if CommandLine.arguments.first == PictureProcess.name { PictureProcess.run() }
        // The task scheduler would log at each start that its threads get no higher priority.
        setlogmask((1 << (LOG_NOTICE)) - 1)
        signal(SIGPIPE, SIG_IGN)
        _ = countersign_terminal_guard(Failure.Kind.cancelled.exitCode)
        if let script = CompletionScript.asked(by: words, of: Self.self) {
            orLeave { try Terminal.result(script) }
            leave(with: 0)
        }
        if let plain = PlainWords(words[...]) {
            CallingThread.run {
                await finish {
                    try await plain.run()
                }
            }
        }
        if let failure = unknownHelp() { leave(by: failure) }
        Task {
            await finish {
                var command = try await asyncParseAsRoot(words)
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
            }
        }
        dispatchMain()
    }

    /// Overwrites links in the arguments, which every user of the computer can read as long as the process runs.
    private static func hideLinks() {
        // Swift keeps a copy of its own.
        for (index, argument) in CommandLine.arguments.enumerated() where ArgumentVector.mayBeLink(argument) {
            countersign_overwrite_argument(index, ArgumentVector.link)
        }
    }

    /// Runs the command and ends the process.
    private static func finish(_ command: @Sendable () async throws -> Void) async -> Never {
        do {
            try await command()
            leave(with: 0)
        } catch {
            leave(by: error)
        }
    }

    private static func orLeave(_ step: () throws -> Void) {
        do {
            try step()
        } catch {
            leave(by: error)
        }
    }

    private static func leave(by error: any Error) -> Never {
        if let code = error as? ExitCode { leave(with: code.rawValue) }
        let failure: Failure
        // While a shell completes a word, no error may appear on its screen.
        if words.first == "---completion", exitCode(for: error) != .success {
            leave(with: 1)
        }
        // Help and version are not failures: the parser prints them and exits with 0.
        if exitCode(for: error) == .success { exit(withError: error) }
        if exitCode(for: error) == .validationFailure {
            failure =
                mistypedCommand()
                ?? Failure.usage(
                    parserMessage(error), hint: (["countersign"] + command + ["--help"]).joined(separator: " "))
        } else {
            failure = Failure(error)
        }
        let isTold =
            words.contains("--json")
            && (try? Terminal.result(Options.json(FailurePayload(failure)) + "\n")) != nil
        if !isTold { Terminal.say(failure) }
        leave(with: failure.exitCode)
    }

    /// Ends the process. Everything is written by then. The libraries' exit handlers are left out: they would free
    /// memory that other threads still use, and take as long as a short command.
    private static func leave(with code: Int32) -> Never { _exit(code) }

    private static var names: [String] { configuration.subcommands.compactMap { $0.configuration.commandName } }

    /// The command on the command line, with the subcommands that follow it at once; empty if there is none.
    private static var command: [String] { command(in: words) }

    private static func command(in words: some Sequence<String>) -> [String] {
        var path: [String] = []
        var following = configuration.subcommands
        for word in words {
            guard let found = following.first(where: { $0.configuration.commandName == word }) else { break }
            path.append(word)
            following = found.configuration.subcommands
        }
        return path
    }

    /// The failure for help about a command that there is not: the parser would show its parent's.
    private static func unknownHelp() -> Failure? {
        let asked = words.dropFirst()
        guard words.first == "help", !asked.contains(where: { $0.hasPrefix("-") }) else { return nil }
        let known = command(in: asked)
        guard known.count < asked.count, asked.first != "ls", asked.first != "help" else { return nil }
        let shown = DisplayText(asked.joined(separator: " ")).line(within: 40)
        return Failure.usage(
            "there is no command \"\(shown)\"",
            hint: "list them with: " + (["countersign"] + known + ["--help"]).joined(separator: " "))
    }

    /// The failure for a first word that is no command, with a similar command as a hint, or for an option before the
    /// command.
    private static func mistypedCommand() -> Failure? {
        guard let word = words.first else { return nil }
        guard !word.hasPrefix("-") else {
            let option = word.prefix { $0 != "=" }
            guard Options.words.contains(String(option)) else { return nil }
            return Failure.usage(
                "\(option) must follow the command", hint: "write: countersign COMMAND \(option) …")
        }
        guard !names.contains(word), word != "ls", word != "help" else { return nil }
        let shown = DisplayText(word).line(within: 40)
        if word == "version" {
            return Failure.usage("there is no command \"version\"", hint: "countersign --version")
        }
        let likely = word == "list" ? "connections" : Likeness.nearest(to: word, among: names).first
        return Failure.usage(
            "there is no command \"\(shown)\"",
            hint: (likely.map { "did you mean \"\($0)\"? " } ?? "") + "list them with: countersign --help")
    }

    private static func parserMessage(_ error: any Error) -> String {
        let text = message(for: error)
        let first = (text.split(separator: "\n").first.map(String.init) ?? text).replacing(". Please", with: "; please")
        return first.prefix(1).lowercased() + first.dropFirst().trimmingSuffix(while: { $0 == "." })
    }
}
