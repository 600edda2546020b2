import ArgumentParser
import Authenticator
import Basics
import CTerminal
import SCA

/// Denies all requests that wait at one connection, after one question.
struct DenyingAll {
    let options: GlobalOptions
    let connection: String
    let reason: DenialReason?
    let position: Geolocation?
    let waits: Bool

    func run() async throws {
        let context = try Context(options)
        try await context.withOperations { operations in
            let round = try await operations.pending(connection)
            if round.failed > 0, let failure = round.failures.first {
                throw Failure(failure.kind, failure.message, hint: failure.hint)
            }
            if !options.json { for failure in round.failures { Terminal.say(failure.text) } }
            let cards = round.authorizations
            var answering = Answering(
                operations: operations, context: context, position: position, waits: waits, reason: reason)
            if cards.isEmpty, !options.json { Terminal.say(PendingPayload.nothing(isBankless: false)) }
            if !cards.isEmpty, context.prompts.canAsk {
                guard try answering.agreesToDenyAll(cards) else { throw Failure.cancelled }
                answering.isDenialAgreed = true
            }
            var results: [DecisionPayload] = []
            var fatigue = FatigueGuard()
            var firstFailure: Failure?
            for card in cards where countersign_interrupted() == 0 {
                card.warnIfNotTold(reason, options)
                // Where denying takes the PIN, the card is shown first.
                let (result, failure) = await answering.answer(.deny, to: card, isShown: !card.denialNeedsPIN, &fatigue)
                results.append(result)
                if let failure, !options.json { Terminal.say(failure) }
                firstFailure = firstFailure ?? failure
            }
            if results.count < cards.count { firstFailure = firstFailure ?? .cancelled }
            try options.render(DecisionsPayload(decisions: results))
            if let firstFailure { throw ExitCode(firstFailure.exitCode) }
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
