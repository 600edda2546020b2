import Client
import Records
import Basics
import CTerminal
import Display
import Glibc
import Ledger
import OAuth
import Cryptography
import Keys
import SessionModel
import Sessions
import Web

extension SessionJob: VaultJob {
    /// A PIN from a file serves for the changes that take a PIN, too; a person types it for each.
    static func with<R>(
        _ vault: any OpenVault, openedBy proof: ProvedPIN?, _ context: Context,
        _ body: (Carrier<any SessionHost>) async throws -> R
    ) async throws -> R {
        let transport = try context.makeTransport()
        do {
            let sessions = try sessions(of: vault, openedBy: proof, context, transport)
            defer { context.settleNotes(in: vault) }
            let ended = try sessions.endDue()
            for session in ended { Terminal.say(session.words + ".") }
            let result: R
            do { result = try await body(Carrier(vault: sessions)) } catch {
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

    private static func sessions(
        of vault: any OpenVault, openedBy proof: ProvedPIN?, _ context: Context, _ transport: Transport
    ) throws -> LocalSessions {
        var sessions = context.sessions(try vault.sessionsKey(), transport, interrupts: interrupts) { name, isRescued in
            let rest =
                isRescued
                ? "The keyring has them, and the next use writes them."
                : "Trying until they can; ctrl-c gives them up."
            Terminal.say("The new tokens of \(name.text) cannot be written: is the disk full? \(rest)")
        }
        (sessions.log, sessions.requester) = (context.sessionLog(vault), .current())
        sessions.openedBy = proof
        sessions.prove = { [gate = context.gate] pin, source in
            if source == .file, let proof { return proof }
            return try await blocking { try gate.prove(pin, from: source) }
        }
        return sessions
    }

    private static let interrupts = Interrupts(
        hold: { countersign_interrupts_hold($0 ? 2 : 0) }, isPending: { countersign_interrupted() != 0 })
}

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

    /// The agent's sessions, if they can be read without the PIN, and none is given by a file.
    func sessionsAtHand() throws -> Carrier<any SessionHost>? {
        let reach = Reach.sessionsAtHand
        return try agent(for: reach).flatMap { reach.isReady($0.handshake) ? $0.sessions : nil }
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

    /// Judges an issuer's own metadata. Needs no PIN.
    func examine(_ issuer: WebAddress) async throws -> [IssuerFinding] {
        let transport = try makeTransport()
        let findings = await OAuthService(transport: transport, now: clock.now).examine(issuer)
        await transport.shutdown()
        return findings
    }

    /// Whether this process has a controlling terminal, by which the agent recognises a person.
    var hasTerminal: Bool {
        let tty = Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard tty >= 0 else { return false }
        close(tty)
        return true
    }
}
