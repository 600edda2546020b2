package import Basics
package import FoundationEssentials
package import Ledger
package import ApprovalModel
package import Keys

/// The log of decisions and claims: a `SealedChain` of the ledger.
package struct SealedLog: DecisionLog {
    let chain: SealedChain<LogEvent>
    let sealer: any RowSealer
    private let calls: RunningCalls

    package init(_ database: StateDatabase, sealer: any RowSealer & LogHeadStore) {
        chain = SealedChain(database, sealer: sealer)
        self.sealer = sealer
        calls = RunningCalls(database.directory)
    }

    package func recordSending(
        _ decision: SignedDecision, shown: ShownCard, by requester: Requester, at: Date
    ) throws -> RecordedDecision {
        var call: (any RunningCall)?
        let sequence = try chain.append { reader, sequence in
            let (attempt, key) = try nextAttempt(on: shown, reader)
            // Before the event becomes visible: a reader that saw it without a mark would take the call for finished.
            call = try calls.begin(sequence)
            let sending = LogEvent.Sending(
                attempt: attempt, shown: shown, verdict: decision.verdict, requester: requester,
                signedBytes: Data(decision.signedBytes), signature: decision.signature)
            return .init(LogEvent(at: at, kind: .sending(sending)), key: key, waits: true)
        }
        guard let sequence else { throw StoreError.alreadyDecided }
        return RecordedDecision(decision: decision, sequence: sequence, call: call)
    }

    package func isUnderWay(_ sequence: Int64) throws -> Bool { try calls.contains(sequence) }

    /// Writes nothing for `unknown`, which is not an answer, and nothing for a second answer.
    package func recordAnswer(_ answer: Outcome, to decision: RecordedDecision, at: Date) throws {
        try append(LogEvent(at: at, kind: .answered(outcome: answer)), to: decision.sequence)
    }

    /// Writes nothing when the outcome of the decision is known already, when this says nothing new, or when there is a
    /// later decision on the same authorization.
    package func resolve(_ sequence: Int64, _ resolution: Resolution, at: Date) throws {
        try append(LogEvent(at: at, kind: .init(resolution)), to: sequence)
    }

    package func verify() throws -> LogVerdict { try chain.verify() }

    /// Accepts a broken log as it is; the acceptance is the next event. Returns nil if the log is not broken.
    package func accept(at: Date) throws -> AcceptedBreak? {
        try chain.accept { LogEvent(at: at, kind: .accepted(reason: $0)) }
    }

    private func append(_ event: LogEvent, to decision: Int64) throws {
        _ = try chain.append { reader, _ in
            var fold = try fold(decision, reader)
            if case .answered = event.kind {
            } else if try isSuperseded(fold, reader) {
                return nil
            }
            guard fold.apply(event) else { return nil }
            return .init(event, about: decision, waits: fold.waits)
        }
    }
}
