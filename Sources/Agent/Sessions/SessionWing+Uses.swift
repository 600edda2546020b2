import Basics
import FoundationEssentials
import Sessions

/// How often programs get tokens. The first by each grant is written at once, and so is one a day; the others are counted here and written
/// once a minute, since each write waits for the disk.
extension SessionWing {
    private nonisolated static let countInterval = Duration.seconds(60)
    private nonisolated static let lookForNotesInterval = Duration.seconds(3600)

    /// Tokens that were handed out by one grant and are not written yet.
    struct Uses {
        var count: Int
        var last: Date
    }

    /// A token is handed out by this grant. What cannot be written now does not keep it back.
    func used(_ grant: ProgramGrant, in sessions: LocalSessions) {
        let before = uses.removeValue(forKey: grant.id)?.count ?? 0
        let now = Uses(count: before + 1, last: clock.now())
        if !sessions.isNoteDue(by: grant) || !write(now, by: grant.id, in: sessions) { uses[grant.id] = now }
    }

    /// Writes what was counted.
    func writeUses(in sessions: LocalSessions) {
        lastCount = clock.moment()
        uses = uses.filter { !write($0.value, by: $0.key, in: sessions) }
    }

    /// The same, if it is time to.
    func writeUses(at moment: ContinuousClock.Instant) {
        guard let sessions = reachable else { return uses = [:] }
        if lastCount.map({ $0 + Self.countInterval <= moment }) ?? true { writeUses(in: sessions) }
        guard lastNoted.map({ $0 + Self.lookForNotesInterval <= moment }) ?? true else { return }
        lastNoted = moment
        // Tried again an hour later.
        try? sessions.noteUses()
    }

    private func write(_ uses: Uses, by grant: String, in sessions: LocalSessions) -> Bool {
        do {
            try sessions.count(uses.count, by: grant, at: uses.last)
            return true
        } catch {
            return false
        }
    }
}
