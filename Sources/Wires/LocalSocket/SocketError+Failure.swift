package import Basics

extension SocketError: PresentableError {
    package var failure: Failure {
        switch self {
        case .notStarted: Failure(told: reason)
        case .running, .anotherRuns:
            Failure(
                .alreadyRuns, reason, hint: "it is the agent of this home; end it first: countersign agent --stop")
        case .occupied:
            Failure(
                .internal, reason,
                hint:
                    "if a service manager listens there: systemctl --user start countersign; else end the process that listens, then run it again"
            )
        case .ended, .notRunning: Failure(.internal, reason, hint: "run it again")
        case .stranger: Failure(.internal, reason, hint: "end it as that user, or choose another home with --home")
        case .unusable(_, let remedy?), .tooLong(_, let remedy?): Failure(.internal, reason, hint: remedy)
        case .unusable, .tooLong, .badActivation, .timedOut, .malformed, .tooLarge, .cancelled:
            Failure(.internal, reason, hint: "countersign doctor")
        }
    }
}

extension Failure {
    /// The report of a process that was started in the background and failed: the cause, and a line with the remedy.
    package var told: String { message + (hint.map { "\n\($0)" } ?? "") }

    init(told text: String) {
        let lines = text.split(separator: "\n", maxSplits: 1).map(String.init)
        self.init(.internal, lines.first ?? text, hint: lines.count > 1 ? lines[1] : "countersign doctor")
    }
}
