/// The state of one authorization, computed from the bank's status and from the decision here (saltedge-v2 sections 8.4
/// and 8.6). Calls nobody and knows no clock.
package struct StatusMachine: Sendable, Equatable {
    package private(set) var status: AuthorizationStatus
    /// The decision here; nil before.
    package private(set) var verdict: Verdict?

    package init(_ status: AuthorizationStatus = .pending) {
        self.status = status
    }

    /// The person's answer is on its way. Returns false and changes nothing unless the item is pending.
    package mutating func act(_ verdict: Verdict) -> Bool {
        guard status == .pending, self.verdict == nil else { return false }
        self.verdict = verdict
        status = verdict == .approve ? .confirmProcessing : .denyProcessing
        return true
    }

    /// Takes a status that the bank sent. A final status never changes. After a decision was made here, `pending` is
    /// outdated, and an unknown word means that it is still being processed.
    package mutating func hear(_ word: AuthorizationStatus) {
        guard !status.isFinal else { return }
        switch word {
        case .pending, .unknown: if verdict == nil { status = word }
        default: status = word
        }
    }

    /// The outcome of the decision made here; nil while it is open, or if none was made.
    package var outcome: Outcome? { verdict.flatMap { status.finalOutcome(of: $0) } }

    /// Whether it was denied here, but the bank confirmed it.
    package var isOverturned: Bool { verdict.map(status.overturns) ?? false }
}

extension AuthorizationStatus {
    /// Whether the bank carried out a denied request.
    package func overturns(_ verdict: Verdict) -> Bool { verdict == .deny && self == .confirmed }

    /// The outcome of a decision by a final status: the matching word is success; `closed`, `timeOut` and `unavailable`
    /// mean that it came too late; any other final word is a refusal. Nil while the status is not final.
    package func finalOutcome(of verdict: Verdict) -> Outcome? {
        switch self {
        case .pending, .confirmProcessing, .denyProcessing, .unknown: nil
        case .confirmed: verdict == .approve ? .confirmed : .refused
        case .denied: verdict == .deny ? .denied : .refused
        case .timeOut, .closed, .unavailable: .expired
        case .error: .refused
        }
    }
}
