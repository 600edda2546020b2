import Basics
import FoundationEssentials
import SessionRecords
import Sessions

extension DoctorCommand {
    /// How many sessions there are can be told without the PIN; which of them end within a day, with a PIN file or by an agent that has
    /// them at hand. What is owed to issuers is told with the next login or logout.
    func sessions() async -> Check {
        do {
            let context = try context()
            let (sessions, owed) = try SealedSessions.counts(in: context.database)
            var notes = ((try? await endings(context)) ?? []).sorted()
            if owed > 0 {
                notes.append(
                    "\(owed) \(owed == 1 ? "token or registration is" : "tokens or registrations are") still to be ended at issuers"
                )
            }
            let waiting = try SealedSessions.pendingNotes(in: context.database)
            if waiting > 0 {
                notes.append(
                    "\(waiting) \(waiting == 1 ? "event waits" : "events wait") for the log, until the next PIN")
            }
            let words = [sessions == 1 ? "1 session" : "\(sessions) sessions"] + notes
            return Check(
                name: "sessions", ok: true, message: words.joined(separator: "; "),
                hint: owed > 0 ? "it is tried again at the next login or logout" : nil, isNote: !notes.isEmpty)
        } catch {
            return wrong("sessions", error)
        }
    }

    private func endings(_ context: Context) async throws -> [String] {
        let found: SessionsPayload
        if options.effectivePINFile != nil {
            found = try await context.withOwnSessions { try await $0.sessions() }
        } else if let agent = try context.agent(), agent.handshake.sessions == .atHand {
            found = try await agent.operations.sessions.sessions()
        } else {
            return []
        }
        let tomorrow = context.clock.now() + 86400
        return found.sessions.compactMap { session in
            guard let end = session.endsAt, Timestamp.parse(end).map({ $0 < tomorrow }) ?? false else { return nil }
            return "\(session.name) ends \(SessionPayload.local(end))"
        }
    }
}

extension SessionPayload {
    /// When it ends by itself; nil for never, and once it ended.
    fileprivate var endsAt: String? {
        guard status == "active" else { return nil }
        // Both are in the same form, so the earlier text is the earlier time.
        return [signOutAt, refreshable ? nil : expiresAt].compactMap(\.self).min()
    }
}
