import Client
import Display
import ArgumentParser
import Approvals
import Basics
import FoundationEssentials
import Glibc
import Pinentry
import Cryptography
import Keys
import Vault

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check this computer; exit code 1 if something is wrong.",
        usage: "countersign doctor [--issuer <url>] [<options>]")

    @Option(help: ArgumentHelp("Check this issuer instead, step by step; nothing is changed there.", valueName: "url"))
    var issuer: String?
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        if let issuer { return try report(try await judge(issuer: issuer)) }
        let opened = await opened()
        let vault = try? opened?.get()
        var checks = [secretService()] + [keyringItems(vault)].compactMap(\.self)
        checks += [
            stateDirectory(), clock(), lockedMemory(), settings(), await agent(), pinentry(),
            schemeHandler(), SchemeHandler.check(clicked: Settings.clickedSchemes), screenLock(),
        ]
        checks += await sessions(vault) + [helpers()].compactMap(\.self)
        if case .failure(let error)? = opened { checks.append(wrong("pin", error)) }
        checks += await [log(vault)].compactMap(\.self)
        if let vault { checks += await connections(vault) } else { checks += await damagedConnections() }
        try report(checks)
    }

    private func report(_ checks: [Check]) throws {
        try options.render(DoctorPayload(checks: checks))
        if checks.contains(where: { !$0.ok }) { throw ExitCode(1) }
    }

    /// Asks for the issuer's documents and keys alone.
    private func judge(issuer text: String) async throws -> [Check] {
        let address: WebAddress
        do {
            address = try WebAddress(text.firstRange(of: "://") != nil ? text : "https://" + text)
        } catch {
            throw Failure.usage(
                error.reason, hint: "give the issuer's address: countersign doctor --issuer https://ISSUER")
        }
        let findings = try await Context(options).examine(address)
        return findings.map { finding in
            Check(
                name: finding.topic, ok: finding.verdict != .wrong, message: finding.words, hint: finding.hint,
                isNote: finding.verdict == .note)
        }
    }

    typealias Check = DoctorPayload.Check

    /// Uses default settings if the file is faulty: only the check "settings" reports that.
    func context() throws -> Context { try Context(options, settings: (try? .load()) ?? Settings()) }

    /// Makes one check: `judge` returns a sound result in words, and throws a fault.
    private func check(_ name: String, _ judge: () throws -> String) -> Check {
        do {
            return Check(name: name, ok: true, message: try judge(), hint: nil)
        } catch {
            return wrong(name, error)
        }
    }

    func wrong(_ name: String, _ error: any Error) -> Check {
        let failure = Failure(error)
        // The hints of other commands lead here, so this one would lead nowhere.
        var hint = failure.hint == "countersign doctor" ? nil : failure.hint
        // Doctor itself has nothing asked, wherever it runs.
        if (error as? SecretServiceError)?.kind == .locked {
            let isSet = (try? context().gate.status().isSet) == true
            hint =
                "unlock it in its own program; or on a terminal, where it asks: countersign \(isSet ? "connections" : "pin set")"
        }
        return Check(name: name, ok: false, message: failure.message, hint: hint)
    }

    private func secretService() -> Check {
        check("secret-service") {
            let keyring: Keyring
            do {
                // Not the context's own service, which may make the keyring ask: doctor asks nothing.
                keyring = try SecretService(allowsPrompt: false).check()
            } catch let error as SecretServiceError where error.kind == .missing {
                var failure = Failure(error)
                failure.hint = InstalledKeyrings(Environment.all).hint
                throw failure
            }
            return (keyring == .other ? "" : "\(keyring.name) ") + "answers, and its default collection is unlocked"
        }
    }

    private func stateDirectory() -> Check {
        check("state-directory") {
            let context = try context()
            let isSet = try context.gate.status().isSet
            if let fault = context.database.directory.fault() { throw fault }
            return "\(context.database.directory.path) is private" + (isSet ? "" : "; no PIN is set")
        }
    }

    private func clock() -> Check {
        check("clock") {
            let context = try context()
            guard context.clock.boot() != nil else { throw PINError.clockShifted }
            // Signatures carry the time. A clock from before this program was written cannot be right.
            guard context.clock.now() > Date(timeIntervalSince1970: 1_767_225_600) else {
                throw Failure(.internal, "the clock is years behind", hint: "set it, or turn on time synchronisation")
            }
            return "plausible; this process sees the kernel's own clock and boot id"
        }
    }

    private func lockedMemory() -> Check {
        check("locked-memory") {
            let pages = try LockedPages.measure()
            func size(_ bytes: Int) -> String { "\((bytes + 1023) / 1024) KiB" }
            guard pages.unlocked == 0 else {
                throw Failure(
                    .internal,
                    "\(size(pages.unlocked)) of the \(size(pages.bytes)) that hold secrets may not be locked, and may reach swap",
                    hint: Self.mayRaiseMemoryLimit
                        ? "raise the limit: ulimit -l 8192"
                        : "as root, set memlock to 8192 in /etc/security/limits.conf, then log in again; in a container, ulimit memlock"
                )
            }
            guard pages.dumped == 0 else {
                throw Failure(.internal, "\(size(pages.dumped)) that hold secrets would be in a core dump")
            }
            let room = pages.roomForKeys.map { "; there is room for the keys of \($0) connections" } ?? ""
            return "all \(size(pages.bytes)) that hold secrets are locked, and left out of core dumps\(room)"
        }
    }

    /// Whether `ulimit -l 8192` works here: it cannot go beyond the hard limit.
    private static var mayRaiseMemoryLimit: Bool {
        var limit = rlimit()
        // Fills the struct during the call.
        return getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0 && limit.rlim_max >= 8192 * 1024
    }

    private func settings() -> Check {
        check("settings") {
            _ = try Settings.load().checkedAuthorities()
            return FileManager.default.fileExists(atPath: Settings.path()) ? "\(Settings.path()) is well" : "defaults"
        }
    }

    private func agent() async -> Check {
        do {
            return try await judgeAgent()
        } catch {
            return wrong("agent", error)
        }
    }

    private func judgeAgent() async throws -> Check {
        func well(_ message: String) -> Check { Check(name: "agent", ok: true, message: message, hint: nil) }
        let context = try context()
        switch try await context.agentPlace.listener() {
        case .usable(let agent):
            let handshake = agent.handshake
            let words = "process \(handshake.pid) runs, and is \(handshake.state.rawValue)"
            guard handshake.state == .shut, try context.connectionCounts().living > 0 else { return well(words) }
            return Check(
                name: "agent", ok: true, message: "\(words): \(StatusPayload.unaskedWords)", hint: "countersign unlock",
                isNote: true)
        case .outdated(let agent):
            let handshake = agent.handshake
            throw Failure(
                .internal, "process \(handshake.pid) is an agent of version \(DisplayText(handshake.version).line)",
                hint: "replace it with: countersign agent --daemonize")
        case .foreign:
            throw Failure(
                .internal, "what answers at its socket is not the agent of this home", hint: "stop it, then start one")
        case .silent: throw context.agentPlace.silentAgent()
        case nil:
            try context.socketPlace().check()
            return well("none runs, so each command asks for the PIN; start one with: countersign agent --daemonize")
        }
    }

    /// A program that the settings name must exist. Without any pinentry, only terminals can ask for the PIN.
    private func pinentry() -> Check {
        check("pinentry") {
            let settings = (try? Settings.load()) ?? Settings()
            if settings.pinPrompt == .terminal { return "not used: pin_prompt is \"terminal\"" }
            if let path = Pinentry.find(settings.pinentry, environment: Environment.all) { return "\(path) asks" }
            guard settings.pinPrompt == .auto, settings.pinentry == Settings().pinentry else {
                throw Failure(
                    .internal, "there is no program \(DisplayText(settings.pinentry).line)",
                    hint: "install one (apt install pinentry-gnome3), or change pinentry in \(Settings.path())")
            }
            return "none is installed, so only terminals can be asked: apt install pinentry-gnome3"
        }
    }

    /// Content should leave the screen before it locks. If the lock is not heard, that is only a warning: five minutes
    /// without use hide content too.
    private func screenLock() -> Check {
        guard let lockers = ScreenLockers.found(Environment.all) else {
            return Check(
                name: "screen-lock", ok: true, message: "no desktop here whose screen could be locked", hint: nil)
        }
        switch lockers.verdict {
        case .heard(let words): return Check(name: "screen-lock", ok: true, message: words, hint: nil)
        case .unheard(let words, let hint):
            return Check(
                name: "screen-lock", ok: true, message: "the agent does not hear it: \(words)", hint: hint, isNote: true
            )
        }
    }

    /// Checks the handler for the return URL that banks get with `--callback scheme`.
    private func schemeHandler() -> Check {
        let returnURL = ((try? Settings.load()) ?? Settings()).returnURL
        return SchemeHandler.check(SchemeHandler.scheme(of: returnURL))
    }
}
