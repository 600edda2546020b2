import Client
import Approvals
import Basics
import Dialogue
import Display
import FoundationEssentials
import Glibc

/// The effect of each key on the selected request, in the live view and in one round.
struct KeyActions {
    enum Effect {
        /// The request was answered, and no longer waits.
        case decided
        /// It was cancelled or failed; the request still waits.
        case open
        /// The person did not begin this request: nothing more is asked here.
        case over
    }

    static let keys = "[a]pprove  [d]eny  [s]kip  [n]ot me  [q]uit"

    /// The keys of the live view, in as many words as fit.
    static func keys(within columns: Int) -> String {
        let all = [keys + "  [?] keys", keys, "[a] [d] [s] [n] [q] [?]", "a d s n q ?"]
        return all.first { TextWidth.columns($0) <= columns } ?? TextWidth.cut(all[3], to: columns)
    }

    let answering: Answering
    /// Survives a lock, which makes nobody less tired.
    var fatigue: FatigueGuard

    mutating func approve(_ card: Card, isShown: Bool) async -> (Effect, Failure?) {
        let (decision, failure) = await answering.answer(.approve, to: card, isShown: isShown, &fatigue)
        let told = tell(decision, failure)
        if failure == nil { await answering.context.offerReturn(of: card) }
        return told
    }

    mutating func deny(_ card: Card, isShown: Bool) async -> (Effect, Failure?) {
        let (decision, failure) = await answering.answer(.deny, to: card, isShown: isShown, &fatigue)
        return tell(decision, failure)
    }

    /// Somebody else began this request: denies it, or all that wait at its connection if those are too many, and offers
    /// to end the connection. The caller then calls `lock`.
    ///
    /// - Parameters:
    ///   - others: all cards that wait.
    ///   - blank: clears the screen before the first line that must stay.
    mutating func disown(
        _ card: Card, among others: [Card], isShown: Bool, blank: () -> Void = {}
    ) async -> (Effect, Failure?) {
        var answering = answering
        answering.reason = .notMe
        var dialogue = DenialDialogue(notMine: card, among: others, isShown: isShown)
        var next = dialogue.next()
        var (told, isFirst) = ((Effect.open, Failure?.none), true)
        while true {
            switch next {
            case .ask(let ask): next = dialogue.next(.answer((try? answering.context.prompts.answer(ask)) ?? .no))
            case .deny(let card, let isAgreed, let isShown):
                answering.isDenialAgreed = isAgreed
                let (decision, failure) = await answering.answer(.deny, to: card, isShown: isShown, &fatigue)
                if isFirst, failure?.kind != .cancelled { blank() }
                isFirst = false
                told = tell(decision, failure)
                next = dialogue.next(.denied(failure))
            case .revoke(let name):
                await revoke(name.text)
                next = dialogue.next(.revoked)
            case .end(.lock(let failure)): return (.over, failure)
            case .end: return told
            }
        }
    }

    private func revoke(_ name: String) async {
        do {
            _ = try await answering.operations.perform(ApprovalVerbs.revoke, on: name, RevokeOptions(localOnly: false))
            Terminal.say("Revoked: \(name)")
        } catch {
            Terminal.say(Failure(error))
        }
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

    private func tell(_ decision: DecisionPayload, _ failure: Failure?) -> (Effect, Failure?) {
        if !decision.text.isEmpty { Terminal.write(Terminal.seen(decision.text) + "\n", to: STDOUT_FILENO) }
        if let failure { Terminal.say(failure) }
        return (failure == nil ? .decided : .open, failure)
    }
}
