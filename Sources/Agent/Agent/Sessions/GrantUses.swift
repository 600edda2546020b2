import Basics
import FoundationEssentials
import SessionModel
import Sessions
import Synchronization

/// Writes how often programs get tokens.
protocol UseWriting: Sendable {
    /// Whether the next token of this grant must be logged at once.
    func isNoteDue(by grant: ProgramGrant) -> Bool
    /// Adds tokens that a grant handed out, the last of them at `date`.
    func count(_ uses: Int, by grant: String, at date: Date) throws
    /// Logs the uses that the log does not have yet, if that is due.
    func noteUses() throws
    /// Whether there are new tokens that could not be written when they came.
    var hasUnsaved: Bool { get }
    func takeRescued()
}

extension LocalSessions: UseWriting {}

/// How often programs get tokens. The first by each grant is written at once, and so is one a day; the others are counted here and written
/// once a minute, since each write waits for the disk. Uses no actor, since every token passes here.
final class GrantUses: Sendable {
    static let countInterval = Duration.seconds(60)
    static let noteInterval = Duration.seconds(3600)
    static let savingInterval = Duration.seconds(15)

    /// Tokens that were handed out by one grant and are not written yet.
    private struct Uses {
        var count: Int
        var last: Date
    }

    private struct State {
        /// By grant.
        var uses: [String: Uses] = [:]
        /// When they were last written.
        var lastCount: ContinuousClock.Instant?
        /// When the agent last looked for uses that the log does not have yet.
        var lastNote: ContinuousClock.Instant?
        /// When the agent last tried to write tokens that could not be written when they came.
        var lastSaving: ContinuousClock.Instant?

        /// Whether this long has passed. If it has, the time begins anew.
        static func isTime(
            _ interval: Duration, since last: inout ContinuousClock.Instant?, at moment: ContinuousClock.Instant
        ) -> Bool {
            guard last.map({ $0 + interval <= moment }) ?? true else { return false }
            last = moment
            return true
        }
    }

    private let clock: Clock
    private let state = Mutex(State())

    init(_ clock: Clock) { self.clock = clock }

    /// How many tokens each grant handed out that are not written yet.
    var counts: [String: Int] { state.withLock { $0.uses.mapValues(\.count) } }

    /// Counts a token of this grant. A failure to write the count does not keep the token back.
    func used(_ grant: ProgramGrant, in sessions: some UseWriting) {
        count(Uses(count: 1, last: clock.now()), by: grant.id)
        if sessions.isNoteDue(by: grant) { write(by: grant.id, in: sessions) }
    }

    private func count(_ more: Uses, by grant: String) {
        state.withLock { state in
            guard let before = state.uses[grant] else { return state.uses[grant] = more }
            state.uses[grant] = Uses(count: before.count + more.count, last: max(before.last, more.last))
        }
    }

    /// Writes the counted uses.
    func write(in sessions: some UseWriting) {
        let grants = state.withLock { state in
            state.lastCount = clock.moment()
            return Array(state.uses.keys)
        }
        for grant in grants { write(by: grant, in: sessions) }
    }

    private func write(by grant: String, in sessions: some UseWriting) {
        guard let counted = state.withLock({ $0.uses.removeValue(forKey: grant) }) else { return }
        if (try? sessions.count(counted.count, by: grant, at: counted.last)) == nil { count(counted, by: grant) }
    }

    /// Time passed: writes and logs uses that are due.
    func tick(at moment: ContinuousClock.Instant, in sessions: some UseWriting) {
        if state.withLock({ State.isTime(Self.countInterval, since: &$0.lastCount, at: moment) }) {
            write(in: sessions)
        }
        if state.withLock({ State.isTime(Self.noteInterval, since: &$0.lastNote, at: moment) }) {
            // Tried again an hour later.
            try? sessions.noteUses()
        }
        guard sessions.hasUnsaved,
            state.withLock({ State.isTime(Self.savingInterval, since: &$0.lastSaving, at: moment) })
        else { return }
        // The keyring may take its time.
        Task.detached { sessions.takeRescued() }
    }

    /// The key is gone: nothing can be written any more.
    func forget() { state.withLock { $0.uses = [:] } }
}
