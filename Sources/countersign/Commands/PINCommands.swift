import ArgumentParser
import Basics
import Cryptography
import Keys
import Vault

struct PINCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "Choose, change or reset the PIN.", usage: "countersign pin <subcommand>",
        discussion: "  countersign pin set",
        subcommands: [SetPIN.self, ChangePIN.self, ResetPIN.self, PINStatusCommand.self])
}

struct SetPIN: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Choose the PIN: 6 to 16 digits, or a passphrase of 8 or more characters.",
        usage: "countersign pin set [<options>]")

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let context = try Context(options)
        _ = try context.setPIN()
        try options.render(try await context.statusAfterChange())
    }
}

struct ChangePIN: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Change the PIN.", usage: "countersign pin change [<options>]",
        discussion: """
            Afterwards the old PIN opens nothing, not even older copies of the files, and a running agent is shut. With \
            --pin-file, the first line is the old PIN and the second line is the new one.
            """)

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let context = try Context(options)
        guard try context.gate.status().isSet else { throw PINError.notSet }
        do {
            if let file = options.effectivePINFile {
                let lines = try file.lines(2)
                try context.gate.change(lines[0], to: lines[1], from: .file)
            } else {
                var chosen: LockedBytes?
                try await context.withPIN(for: .change) { old, source in
                    let new = try chosen ?? context.newPIN(.replace)
                    chosen = new
                    try context.gate.change(old, to: new, from: source)
                }
            }
        } catch let error as PINError where error == .leftovers {
            _ = try? await context.lock()
            throw error
        }
        // The old PIN's unlock is over. The agent would notice that by itself, but only later.
        _ = try? await context.lock()
        try options.render(try await context.statusAfterChange())
    }
}

struct ResetPIN: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Destroy all keys, tokens and the log, to start anew, without the PIN.",
        usage: "countersign pin reset [--yes] [<options>]")

    @Flag(name: .shortAndLong, help: "Do not ask for a typed confirmation.") var yes = false
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let context = try Context(options)
        if !yes {
            let typed = try context.terminal.line(
                "This destroys the keys of every connected bank, all sessions and the log; nothing brings them back.\nType destroy to go on: "
            )
            guard typed == "destroy" else { throw Failure.cancelled }
        }
        try context.gate.reset()
        // The agent would notice this by itself, but only later.
        _ = try? await context.lock()
        try options.render(try await context.statusAfterChange())
    }
}

struct PINStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show whether a PIN is set and how many tries are left.",
        usage: "countersign pin status [<options>]")

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let context = try Context(options, settings: .loadOrWarn())
        try options.render(try await context.status())
    }
}

extension Context {
    /// Sets the first PIN, from the PIN file or typed twice, and opens the vault.
    func setPIN() throws -> any OpenVault {
        guard try !gate.status().isSet else { throw PINError.alreadySet }
        // Before the PIN is chosen, since it would be in vain without a keyring.
        try secretService.prepare()
        if let file = options.effectivePINFile { return try gate.set(try PINMemo.shared.first(of: file)) }
        return try gate.set(try newPIN(.choose))
    }

    /// A new PIN, typed twice. Asks again if it is refused or typed differently: in windows up to three times, on the terminal until the
    /// person cancels, so that the next try is typed here and not into the shell.
    func newPIN(_ purpose: PINPurpose) throws -> LockedBytes {
        var notice: String?
        var rounds = 1
        while true {
            do {
                return try newPIN(purpose, notice: notice)
            } catch {
                let failure = Failure(error)
                guard failure.kind == .usage, !prompts.opensWindows || rounds < 3 else { throw error }
                notice = failure.message + (failure.hint.map { "; \($0)" } ?? "")
                rounds += 1
            }
        }
    }

    /// Checks the PIN before it is typed again, so that a refused PIN is typed only once.
    private func newPIN(_ purpose: PINPurpose, notice: String?) throws -> LockedBytes {
        guard let first = try prompts.secret(purpose, notice: notice) else { throw Failure.cancelled }
        try PINRules.check(first)
        guard let second = try prompts.secret(.again), first.equals(second) else {
            throw Failure.usage("the two PINs differ; nothing was changed", hint: "try again")
        }
        return first
    }
}
