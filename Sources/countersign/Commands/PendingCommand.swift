import Client
import ArgumentParser
import Approvals

struct PendingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pending", abstract: "Ask the banks, and list the requests that wait for your decision.",
        usage: "countersign pending [--connection <name>] [<options>]",
        discussion: "  countersign pending\n  countersign pending --json")

    @Option(help: ArgumentHelp("Only requests of this connection.", valueName: "name"), completion: Completing.names)
    var connection: String?
    @Flag(help: "Exit with the code of a bank that failed, even if others answered.") var strict = false
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let context = try Context(options)
        try await context.with(.approvals) { operations in
            let round = try await Terminal.saying("Asking the banks") {
                try await operations.perform(ApprovalVerbs.pending, PendingRequest(connection: connection))
            }
            let payload = PendingPayload(round, now: context.clock.now())
            if !options.json { for failure in round.failures { Terminal.say(failure.text) } }
            let first = round.failed > 0 ? round.failures.first : nil
            // If all banks failed, an empty list must not look like "nothing waits".
            let isWhole = first != nil && round.failed == round.asked
            if !isWhole || options.json { try options.render(payload) }
            if !options.json, !options.quiet {
                for card in Dictionary(grouping: round.authorizations, by: \.connection).values.compactMap(\.first) {
                    guard let warning = card.crowdWarning, let hint = card.crowdHint else { continue }
                    Terminal.say("warning: \(warning)\n\(hint)")
                }
            }
            if let alarm = round.alarm { throw ExitCode(alarm.kind.exitCode) }
            if let first, isWhole || strict { throw ExitCode(first.kind.exitCode) }
        }
    }
}
