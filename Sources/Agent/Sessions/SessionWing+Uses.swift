import Basics
import FoundationEssentials
import Sessions

/// How often programs get tokens. The first by each grant is written at once, and so is one a day; the others are counted here and written
/// once a minute, since each write waits for the disk.
extension SessionWing {
    private nonisolated static let countInterval = Duration.seconds(60)
    private nonisolated static let lookForNotesInterval = Duration.seconds(3600)
    private nonisolated static let writingInterval = Duration.seconds(15)

    /// Tokens that were handed out by one grant and are not written yet.
    struct Uses {
        var count: Int
        var last: Date
    }

    /// Counts a token of this grant. A failure to write the count does not keep the token back.
    nonisolated func used(_ grant: ProgramGrant, in sessions: LocalSessions) {
        count(Uses(count: 1, last: clock.now()), by: grant.id)
        if sessions.isNoteDue(by: grant) { writeUses(by: grant.id, in: sessions) }
    }

    private nonisolated func count(_ more: Uses, by grant: String) {
        uses.withLock { uses in
            guard let before = uses[grant] else { return uses[grant] = more }
            uses[grant] = Uses(count: before.count + more.count, last: max(before.last, more.last))
        }
    }

    /// Writes the counted uses.
    func writeUses(in sessions: LocalSessions) {
        lastCount = clock.moment()
        for grant in uses.withLock({ Array($0.keys) }) { writeUses(by: grant, in: sessions) }
    }

    private nonisolated func writeUses(by grant: String, in sessions: LocalSessions) {
        guard let counted = uses.withLock({ $0.removeValue(forKey: grant) }) else { return }
        if (try? sessions.count(counted.count, by: grant, at: counted.last)) == nil { count(counted, by: grant) }
    }

    /// Writes the counted uses, if it is time to.
    func writeUses(at moment: ContinuousClock.Instant) {
        guard let sessions = reachable else { return uses.withLock { $0 = [:] } }
        if lastCount.map({ $0 + Self.countInterval <= moment }) ?? true { writeUses(in: sessions) }
        guard lastNoted.map({ $0 + Self.lookForNotesInterval <= moment }) ?? true else { return }
        lastNoted = moment
        // Tried again an hour later.
        try? sessions.noteUses()
    }

    /// Tries four times a minute to write the tokens that could not be written when they came.
    func writeUnsaved(at moment: ContinuousClock.Instant) {
        guard let sessions = reachable, sessions.hasUnsaved,
            lastWriting.map({ $0 + Self.writingInterval <= moment }) ?? true
        else { return }
        lastWriting = moment
        // The keyring may take its time.
        Task.detached { sessions.takeRescued() }
    }
}
