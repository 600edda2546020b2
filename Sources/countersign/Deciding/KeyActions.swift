import Client
import Approvals
import Basics
import Dialogue
import Display
import Glibc

/// The effect of each key on the selected request, in the live view and in one round.
struct KeyActions {
    static let keys = "[a]pprove  [d]eny  [s]kip  [n]ot me  [q]uit"

    /// The keys of the live view, in as many words as fit.
    static func keys(within columns: Int) -> String {
        let all = [keys + "  [?] keys", keys, "[a] [d] [s] [n] [q] [?]", "a d s n q ?"]
        return all.first { TextWidth.columns($0) <= columns } ?? TextWidth.cut(all[3], to: columns)
    }

    let answering: Answering
    /// Survives a lock, which makes nobody less tired.
    var fatigue: FatigueGuard

    /// The decisions that a key begins on this card, among all that wait; nil for any other key.
    static func series(of key: Key, on card: Card, among others: [Card], isShown: Bool) -> DecisionSeries? {
        switch key {
        case Key("a"): DecisionSeries(.approve, on: card, isShown: isShown)
        case Key("d"): DecisionSeries(.deny, on: card, isShown: isShown)
        case Key("n"): DecisionSeries(notMine: card, among: others, isShown: isShown)
        default: nil
        }
    }

    /// Carries out the decisions of a key on this card, and prints each result. If they end with a lock, the caller then calls `lock`.
    ///
    /// - Parameter blank: clears the screen before the first line that must stay, where somebody else began the request.
    mutating func carry(_ series: DecisionSeries, on card: Card, blank: () -> Void = {}) async -> DecisionSeries.End {
        var isFirst = true
        let end = await answering.carry(series, &fatigue) { decision, failure in
            if isFirst, series.isForeign, failure?.kind != .cancelled { blank() }
            isFirst = false
            if !decision.text.isEmpty { Terminal.write(Terminal.seen(decision.text) + "\n", to: STDOUT_FILENO) }
            if let failure { Terminal.say(failure) }
        }
        if end == .done(nil), series.verdict == .approve { await answering.context.offerReturn(of: card) }
        return end
    }

    /// Locks, and prints whether that succeeded.
    func lock() async {
        do {
            try await answering.operations.lock()
            Terminal.say("Locked.")
        } catch {
            Terminal.say("error: not locked: \(Failure(error).message)\nhint: countersign lock")
        }
        Terminal.say("Tell your bank by a way that you know; what was decided: countersign history")
    }

    /// A warning if several alike requests came within a minute, or too many wait at once.
    func warning(about card: Card) -> String? {
        if let waiting = card.waitingAtOnce, card.crowdWarning != nil {
            return "warning: too many at once; n denies all \(waiting), as not yours"
        }
        let count = fatigue.crowd(around: card.request)
        return count < 2
            ? nil : "warning: \(count) like requests came within a minute; approve only what you began yourself"
    }
}
