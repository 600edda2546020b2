import Client
import ArgumentParser
import Approvals
import Basics
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
            let answering = Answering(
                operations: operations, context: context, position: position, waits: waits, reason: reason)
            var (results, fatigue) = ([DecisionPayload](), FatigueGuard())
            let series = DecisionSeries(denyingAll: cards, before: context.prompts.audience)
            let end = await answering.carry(series, &fatigue) { result, failure in
                results.append(result)
                if let failure, !options.json { Terminal.say(failure) }
            }
            if case .stopped(let failure) = end { throw failure }
            try options.render(DecisionsPayload(decisions: results))
            if let failure = end.failure { throw ExitCode(failure.exitCode) }
        }
    }
}
