import Authenticator
import Glibc
import SCA

/// What a key does to the request at hand: the same in the live view and in one round.
struct Desk {
    enum Effect {
        /// Answered: it leaves the desk.
        case decided
        /// Cancelled or failed: it still waits.
        case open
        /// This was not the person: nothing more is asked here.
        case over
    }

    static let keys = "[a]pprove  [d]eny  [s]kip  [n]ot me  [q]uit"

    let answering: Answering
    /// Outlives the desk: a lock does not make anybody less tired.
    var fatigue: FatigueGuard

    mutating func approve(_ item: Inbox.Item, isShown: Bool) async -> (Effect, Failure?) {
        let isRepetition = fatigue.isRepetition(item.authorization, at: .now)
        let (decision, failure) = await answering.answer(
            .approve, to: item, isShown: isShown, isRepetition: isRepetition)
        if failure == nil || failure?.kind == .unknown { fatigue.approved(item.authorization, at: .now) }
        return tell(decision, failure)
    }

    func deny(_ item: Inbox.Item, isShown: Bool) async -> (Effect, Failure?) {
        let (decision, failure) = await answering.answer(.deny, to: item, isShown: isShown)
        return tell(decision, failure)
    }

    /// Somebody else began this: deny it, offer to end the connection, and stop asking.
    func disown(_ item: Inbox.Item, isShown: Bool) async -> (Effect, Failure?) {
        let (_, failure) = await deny(item, isShown: isShown)
        if failure?.kind == .cancelled { return (.open, failure) }
        let name = item.connection.name.text
        let question = "Disconnect \(name) too? Then its bank can ask nothing here until you connect it again."
        if (try? answering.context.terminal.confirm(question)) == true {
            do {
                _ = try await Maintaining(answering.session).revoke(item.connection, localOnly: false)
                Terminal.say("Revoked: \(name)")
            } catch {
                Terminal.say("error: \(Failure(error).message); everything was kept\nhint: countersign revoke \(name)")
            }
        }
        Terminal.say("Locked. Tell your bank by a way that you know; what was decided: countersign history")
        return (.over, failure)
    }

    /// Says so when requests come in crowds.
    func warning(about item: Inbox.Item) -> String? {
        let count = fatigue.crowd(around: item.authorization)
        return count < 2
            ? nil : "warning: \(count) like requests came within a minute; approve only what you began yourself"
    }

    private func tell(_ decision: DecisionPayload, _ failure: Failure?) -> (Effect, Failure?) {
        if !decision.text.isEmpty { Terminal.write(decision.text + "\n", to: STDOUT_FILENO) }
        if let failure { Terminal.say(failure.text) }
        return (failure == nil ? .decided : .open, failure)
    }
}
