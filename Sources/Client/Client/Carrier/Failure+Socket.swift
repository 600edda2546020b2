import Approvals
import Basics
import LocalSocket
import Verbs

extension Failure {
    static let agentEnded = Failure(.internal, "the agent ended", hint: "run it again")

    /// The failure that the agent answered with.
    init(_ answer: LocalAnswer) {
        guard let payload = try? JSONForm.decode(FailurePayload.self, from: answer.body) else {
            self = .unreadable(answer)
            return
        }
        self = payload.error.failure
        mayTryAgain = answer.status == 401
    }

    static func unreadable(_ answer: LocalAnswer) -> Failure {
        Failure(
            .internal, "the agent's answer cannot be read (status \(answer.status))", hint: "countersign doctor")
    }

    /// Describes why no answer came, and the consequence for a verb with this effect.
    init(_ error: any Error, after effect: VerbRules.Effect) {
        guard let error = error as? SocketError else {
            self.init(error)
            return
        }
        switch (error, effect) {
        case (.notRunning, _): self = .agentEnded
        case (.unusable, _), (.stranger, _), (.tooLong, _): self = error.failure
        case (.cancelled, .none): self = .cancelled
        case (.ended, .none): self = .agentEnded
        case (_, .none): self = error.failure
        case (_, .change):
            self.init(.unknown, "\(error.reason); whether it was done is not known", hint: "look, then run it again")
        case (_, .decision):
            self.init(
                .unknown, "\(error.reason); whether it counts is not known",
                hint: "it shows at the next: countersign pending, then countersign history")
        }
    }
}
