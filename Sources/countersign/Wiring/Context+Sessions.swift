import Agent
import ApprovalRecords
import Basics
import CTerminal
import Dialogue
import Display
import Glibc
import Ledger
import OAuth
import SCACrypto
import SessionRecords
import Sessions
import Web

extension Context {
    /// The sessions that are sealed with this key.
    ///
    /// - Parameters:
    ///   - interrupts: the signals that end this process, if they are to wait for a renewal.
    ///   - tellUnstored: called when new tokens cannot be written.
    func sessions(
        _ key: any SecretSealer, _ transport: Transport, interrupts: Interrupts = .none,
        tellUnstored: @escaping TokenKeeper.TellUnstored
    ) -> LocalSessions {
        let sessions = LocalSessions(
            store: SealedSessions(database, sealer: key), service: OAuthService(transport: transport, now: clock.now),
            clock: clock,
            signOutClock: signOutClock,
            makeID: { try RandomBytes.uuid() }, rejected: { RejectedToken(digest: $0) },
            interrupts: interrupts, tellUnstored: tellUnstored,
            readProfile: { [clock] in try IssuerFile.profile(in: $0, now: clock.now()) })
        sessions.takeRescued()
        return sessions
    }

    /// When the settings say that sessions are signed out.
    var signOutClock: SignOutClock {
        SignOutClock(settings.signOut, on: settings.signOutEvents) { LocalTime.secondsAheadOfUTC(at: $0) }
    }

    /// Runs `body` with the sessions of a vault that this command has opened.
    ///
    /// `proof`: the PIN that opened it, nil for a new PIN. One from a file serves for the changes that take a PIN, too; a person types it
    /// for each.
    func withSessions<R>(
        of vault: any OpenVault, openedBy proof: ProvedPIN? = nil, _ body: (LocalSessions) async throws -> R
    ) async throws -> R {
        let transport = try makeTransport()
        do {
            let key = try vault.sessionsKey()
            var sessions = sessions(key, transport, interrupts: Self.interrupts) { name, isRescued in
                let rest =
                    isRescued
                    ? "The keyring has them, and the next use writes them."
                    : "Trying until they can; ctrl-c gives them up."
                Terminal.say("The new tokens of \(name.text) cannot be written: is the disk full? \(rest)")
            }
            (sessions.log, sessions.requester) = (sessionLog(vault), .current())
            sessions.openedBy = proof
            sessions.prove = { [gate] pin, source in
                if source == .file, let proof { return proof }
                return try await blocking { try gate.prove(pin, from: source) }
            }
            defer { settleNotes(in: vault) }
            let ended = try sessions.endDue()
            for session in ended { Terminal.say(session.words + ".") }
            let result: R
            do { result = try await body(sessions) } catch {
                // A damaged row may hold the missing session.
                for failure in (try? sessions.damaged()) ?? [] { Terminal.say(failure.text) }
                if !ended.isEmpty { try? await sessions.signOut.settle() }
                throw error
            }
            if !ended.isEmpty { try? await sessions.signOut.settle() }
            await transport.shutdown()
            return result
        } catch {
            await transport.shutdown()
            throw error
        }
    }

    /// The log, as the sessions write to it.
    func sessionLog(_ vault: any RowSealer & LogHeadStore) -> any NoteLog {
        SealedNotes(SealedLog(database, sealer: vault))
    }

    /// Moves the notes that sessions made without the log's key into the log. Notes that cannot be moved now stay for later.
    func settleNotes(in vault: any OpenVault) {
        guard let count = try? SealedSessions.pendingNotes(in: database), count > 0,
            let key = try? vault.sessionsKey()
        else { return }
        try? sessionLog(vault).take(from: SealedSessions(database, sealer: key))
    }

    private static let interrupts = Interrupts(
        hold: { countersign_interrupts_hold($0 ? 2 : 0) }, isPending: { countersign_interrupted() != 0 })

    /// Judges an issuer's own metadata. Needs no PIN.
    func examine(_ issuer: WebAddress) async throws -> [IssuerFinding] {
        let transport = try makeTransport()
        let findings = await OAuthService(transport: transport, now: clock.now).examine(issuer)
        await transport.shutdown()
        return findings
    }

    /// Runs `body` with the sessions of a vault that the PIN opens for this command. `mayChoosePIN`: if no PIN is set, choose one first.
    func withOwnSessions<R>(
        mayChoosePIN: Bool = false, _ body: (LocalSessions) async throws -> R
    ) async throws -> R {
        let isNew = mayChoosePIN && prompts.canAsk ? try !gate.status().isSet : false
        if isNew { return try await withSessions(of: try setPIN(), body) }
        let opened = try await open()
        return try await withSessions(of: opened.vault, openedBy: opened.proof, body)
    }

    /// Runs `body` with the agent's sessions, or without an agent with those of a vault that the PIN opens for this
    /// command. A PIN file always opens a vault for this command alone. A program without a terminal gets only tokens
    /// that the agent allows it: the agent is not unlocked for it.
    func withSessions<R>(_ body: (any SessionOperations) async throws -> R) async throws -> R {
        guard options.effectivePINFile == nil, let agent = try agent() else { return try await withOwnSessions(body) }
        if agent.handshake.sessions != .atHand, hasTerminal, !options.noInput {
            try await unlock(agent, for: .agent)
        }
        return try await body(agent.operations.sessions)
    }

    /// Runs `body` with the agent's sessions, unlocking the agent if needed, or without an agent with those of a vault that the PIN
    /// opens for this command. A PIN file always opens a vault for this command alone. `mayChoosePIN`: if no PIN is set, choose one
    /// first.
    func withSessionsAtHand<R>(
        mayChoosePIN: Bool = false, _ body: (any SessionOperations) async throws -> R
    ) async throws -> R {
        let isNew = mayChoosePIN && prompts.canAsk ? try !gate.status().isSet : false
        guard !isNew, options.effectivePINFile == nil, let agent = try agent() else {
            return try await withOwnSessions(mayChoosePIN: mayChoosePIN, body)
        }
        if agent.handshake.sessions != .atHand { try await unlock(agent, for: .agent) }
        return try await body(agent.operations.sessions)
    }

    /// The agent's sessions, if they can be read without the PIN, and none is given by a file.
    func sessionsAtHand() throws -> (any SessionOperations)? {
        guard options.effectivePINFile == nil, let agent = try agent(), agent.handshake.sessions == .atHand else {
            return nil
        }
        return agent.operations.sessions
    }

    /// Shows the card of a grant, asks for the PIN for it, and runs `body` with that PIN. The PIN also unlocks the agent if its sessions are not
    /// at hand, or opens a vault for this command if no agent runs or the PIN is from a file.
    func withPINForSessions<R>(
        _ card: GrantCard, _ when: Fact, _ body: (any SessionOperations, EnteredPIN) async throws -> R
    ) async throws -> R {
        guard try gate.status().isSet else { throw PINError(.notSet) }
        let agent = try options.effectivePINFile == nil ? agent() : nil
        let recap = try walk(GrantDialogue(using: card), for: when).recap
        return try await withPIN(for: .allow(card, when), recap: recap) { pin, source in
            if let agent {
                if agent.handshake.sessions != .atHand { _ = try await agent.operations.unlock(pin, from: source) }
                return try await body(agent.operations.sessions, .typed(pin, from: source))
            }
            let opened = try open(with: pin, from: source)
            return try await withSessions(of: opened.vault) { try await body($0, .proved(opened.proof)) }
        }
    }

    /// Runs `body` with the agent's sessions, or without an agent with those of a vault that the PIN opens for this command.
    /// Unlocks the agent if needed, since only an open agent has the log's key.
    func withSessionsAndLog<R>(_ body: (any SessionOperations) async throws -> R) async throws -> R {
        guard options.effectivePINFile == nil, let agent = try agent() else { return try await withOwnSessions(body) }
        if agent.handshake.state != .open || agent.handshake.sessions != .atHand {
            try await unlock(agent, for: .agent)
        }
        return try await body(agent.operations.sessions)
    }

    /// The agent's sessions, for data that only an agent has; unlocks the agent if needed. Throws a failure of kind `locked` if no
    /// agent runs.
    func withAgentSessions<R>(_ body: (SocketSessions) async throws -> R) async throws -> R {
        guard let agent = try agent() else {
            throw Failure(
                .locked, "no agent runs, so no program can ask", hint: "countersign agent --daemonize")
        }
        if agent.handshake.sessions != .atHand { try await unlock(agent, for: .agent) }
        return try await body(agent.operations.sessions)
    }

    /// Whether this process has a controlling terminal, by which the agent recognises a person.
    var hasTerminal: Bool {
        let tty = Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard tty >= 0 else { return false }
        close(tty)
        return true
    }
}
