import Client
import ArgumentParser
import Approvals
import Basics
import CTerminal
import Dialogue
import ApprovalModel

/// Denies all requests that wait at one connection, after one question.
struct DenyingAll {
    let options: GlobalOptions
    let connection: String
    let reason: DenialReason?
    let position: Geolocation?
    let waits: Bool

    func run() async throws {
        let context = try Context(options)
        try await context.with(.approvals) { operations in
            let round = try await operations.perform(ApprovalVerbs.pending, PendingRequest(connection: connection))
            if round.failed > 0, let failure = round.failures.first {
                throw Failure(failure.kind, failure.message, hint: failure.hint)
            }
            if !options.json { for failure in round.failures { Terminal.say(failure.text) } }
            let cards = round.authorizations
            if cards.isEmpty, !options.json { Terminal.say(PendingPayload.nothing(isBankless: false)) }
            var answering = Answering(
                operations: operations, context: context, position: position, waits: waits, reason: reason)
            var results: [DecisionPayload] = []
            var (fatigue, failure) = (FatigueGuard(), Failure?.none)
            var dialogue = DenialDialogue(all: cards, before: context.prompts.audience)
            var next = dialogue.next()
            steps: while true {
                switch next {
                case .ask(let ask): next = dialogue.next(.answer(try context.prompts.answer(ask)))
                case .deny(let card, let isAgreed, let isShown):
                    guard countersign_interrupted() == 0 else {
                        failure = failure ?? .cancelled
                        break steps
                    }
                    card.warnIfNotTold(reason, options)
                    answering.isDenialAgreed = isAgreed
                    let (result, cause) = await answering.answer(.deny, to: card, isShown: isShown, &fatigue)
                    results.append(result)
                    if let cause, !options.json { Terminal.say(cause) }
                    failure = failure ?? cause
                    next = dialogue.next(.denied(cause))
                case .end(.cancelled): throw Failure.cancelled
                case .revoke, .end: break steps
                }
            }
            try options.render(DecisionsPayload(decisions: results))
            if let failure { throw ExitCode(failure.exitCode) }
        }
    }
}

extension Card {
    /// Warns if the bank takes no reason for a denial.
    func warnIfNotTold(_ reason: DenialReason?, _ options: GlobalOptions) {
        guard let reason, !denialReasons.contains(reason), !options.quiet else { return }
        Terminal.say("warning: \(reference): the bank takes no reason, so it is not told why")
    }
}
