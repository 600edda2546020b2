import Client
import Basics
import Display
import FoundationEssentials
import Keys
import OAuth
import Records
import Sessions
import Web

extension DoctorCommand {
    /// Without the PIN, counts the sessions, the tokens and registrations that are still to be revoked at issuers, and
    /// the events that wait for the log. With a PIN file, or an agent that has sessions at hand, also reports which
    /// sessions ended or will within a day, and which issuers' clocks differ.
    func sessions(_ vault: (any OpenVault)?) async -> [Check] {
        do {
            let context = try context()
            let found = try? await known(context, vault)
            let known = found?.known ?? []
            return [try summary(of: known.map(\.session), damaged: found?.damaged ?? [], context)]
                + (await clocks(of: known, context).map { [$0] } ?? [])
        } catch {
            return [wrong("sessions", error)]
        }
    }

    /// A session, and the authorities that are trusted for it besides the system's.
    private struct KnownSession {
        let session: SessionPayload
        let authorities: AuthorityBundle?
    }

    /// Nil if they can be read neither with a PIN file nor by an agent.
    private func known(
        _ context: Context, _ vault: (any OpenVault)?
    ) async throws -> (known: [KnownSession], damaged: [DamagedRowsPayload])? {
        if let vault { return try await SessionJob.with(vault, openedBy: nil, context) { try await Self.all(of: $0) } }
        guard let sessions = try context.sessionsAtHand() else { return nil }
        return try await Self.all(of: sessions)
    }

    private static func all(
        of sessions: Carrier<any SessionHost>
    ) async throws -> (known: [KnownSession], damaged: [DamagedRowsPayload]) {
        let answer = try await sessions.perform(SessionVerbs.sessions)
        var all: [KnownSession] = []
        for session in answer.sessions {
            // A session that ended meanwhile has none.
            let details = try? await sessions.perform(
                SessionVerbs.show, on: session.name, ShowOptions(refresh: false))
            let authorities = details?.authorities.joined() ?? ""
            all.append(
                KnownSession(
                    session: session, authorities: authorities.isEmpty ? nil : AuthorityBundle(pem: authorities)))
        }
        return (all, answer.failures ?? [])
    }

    private func summary(
        of known: [SessionPayload], damaged: [DamagedRowsPayload], _ context: Context
    ) throws -> Check {
        let (count, owed) = try SealedSessions.counts(in: context.database)
        let waiting = try SealedSessions.pendingNotes(in: context.database)
        let tomorrow = context.clock.now() + 86400
        let concerns = known.map { ($0, $0.concern(before: tomorrow)) }
        var notes = concerns.compactMap { session, concern in concern.map { session.words(of: $0) } }
        notes += damaged.map(\.message)
        if owed > 0 {
            let what = owed == 1 ? "1 token or registration is" : "\(owed) tokens or registrations are"
            notes.append("\(what) still to be ended at issuers")
        }
        if waiting > 0 {
            notes.append("\(waiting) \(waiting == 1 ? "event waits" : "events wait") for the log, until the next PIN")
        }
        let ended = concerns.filter { $0.1 == .ended }.map(\.0.name)
        let isUnsaved = concerns.contains { $0.1 == .unsaved }
        let home = DisplayText(context.database.directory.path).line
        let hints =
            damaged.compactMap(\.hint)
            + [
                isUnsaved ? "make room on the disk of \(home), and leave the agent running" : nil,
                ended.isEmpty ? nil : "sign in again: countersign login \(ended.count == 1 ? ended[0] : "NAME")",
                owed > 0
                    ? "issuers are told again with your PIN: countersign unlock, or the next login or logout" : nil,
            ].compactMap(\.self)
        return Check(
            name: "sessions", ok: !isUnsaved && damaged.isEmpty,
            message: ([count == 1 ? "1 session" : "\(count) sessions"] + notes).joined(separator: "; "),
            hint: hints.isEmpty ? nil : hints.joined(separator: "; "), isNote: !notes.isEmpty)
    }

    /// In seconds. Less than that harms nothing.
    private static let mostOffset = 300.0

    /// Asks each issuer once. Nil where no session is known.
    private func clocks(of known: [KnownSession], _ context: Context) async -> Check? {
        let issuers = Set(known.map(\.session.issuer)).sorted().compactMap { try? WebAddress($0) }
        var authorities: [WebAddress: AuthorityBundle] = [:]
        for each in known {
            guard let issuer = try? WebAddress(each.session.issuer), let own = each.authorities else { continue }
            authorities[issuer] = own.with(authorities[issuer])
        }
        guard !issuers.isEmpty, let transport = try? context.makeTransport() else { return nil }
        let service = OAuthService(transport: transport, now: context.clock.now)
        let offsets = await withTaskGroup { group in
            for issuer in issuers {
                let trusted = authorities[issuer]
                group.addTask {
                    (issuer.hostForPeople, await service.clockOffset(of: issuer, trusting: trusted))
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        await transport.shutdown()
        let hosts = Set(issuers.map(\.hostForPeople)).sorted()
        let wrong = hosts.filter { offsets[$0].map { $0.magnitude > Self.mostOffset } ?? false }
        let silent = hosts.filter { offsets[$0] == nil }
        var words = wrong.map { host in
            let offset = offsets[host] ?? 0
            return "\(host) is \(Int(offset.magnitude)) s \(offset < 0 ? "behind" : "ahead of") this computer"
        }
        if wrong.isEmpty, silent.count < hosts.count { words.append("they agree with this computer's") }
        if !silent.isEmpty { words.append("not told by \(silent.joined(separator: ", "))") }
        return Check(
            name: "issuer-clocks", ok: true, message: words.joined(separator: "; "),
            hint: wrong.isEmpty ? nil : "if this computer's is wrong, turn on time synchronisation",
            isNote: !wrong.isEmpty)
    }
}

extension SessionPayload {
    fileprivate func words(of concern: SessionConcern) -> String {
        switch concern {
        case .unsaved: "\(name) has new tokens that cannot be written"
        case .ended: "\(name) \(state)"
        case .failing: "\(name) is \(state)"
        case .ends(let end): "\(name) ends \(Self.local(end))"
        }
    }
}
