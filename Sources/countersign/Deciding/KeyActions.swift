import Authenticator
import Basics
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
        let crowd = others.filter(card.isBeside)
        // No answer means no: then only this one is denied.
        answering.isDenialAgreed =
            crowd.count >= Card.tooManyAtOnce && (try? answering.agreesToDenyAll(crowd)) == true
        // A PIN is never asked for a card that was not shown whole.
        let wasShown = isShown || (answering.isDenialAgreed && !card.denialNeedsPIN)
        let (decision, failure) = await answering.answer(.deny, to: card, isShown: wasShown, &fatigue)
        if failure?.kind == .cancelled { return tell(decision, failure) }
        blank()
        _ = tell(decision, failure)
        if answering.isDenialAgreed {
            for other in crowd where other.reference != card.reference {
                let (decision, failure) = await answering.answer(
                    .deny, to: other, isShown: !other.denialNeedsPIN, &fatigue)
                _ = tell(decision, failure)
            }
        }
        let name = card.connection.text
        let question = "Disconnect \(name) too? Then its bank can ask nothing here until you connect it again."
        if (try? answering.context.terminal.confirm(question)) == true {
            do {
                _ = try await answering.operations.revoke(name, localOnly: false)
                Terminal.say("Revoked: \(name)")
            } catch {
                Terminal.say(Failure(error))
            }
        }
        return (.over, failure)
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
