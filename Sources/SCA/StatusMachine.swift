/// Where one authorization stands, judged from what the bank says and from what was done here (saltedge-v2 sections 8.4 and
/// 8.6). It asks nobody and knows no clock.
public struct StatusMachine: Sendable, Equatable {
    public private(set) var status: AuthorizationStatus
    /// What was answered here; nil before.
    public private(set) var verdict: Verdict?

    public init(_ status: AuthorizationStatus = .pending) {
        self.status = status
    }

    /// The person's answer is on its way. Only a pending item takes one: false, and nothing changed, for any other.
    public mutating func act(_ verdict: Verdict) -> Bool {
        guard status == .pending, self.verdict == nil else { return false }
        self.verdict = verdict
        status = verdict == .approve ? .confirmProcessing : .denyProcessing
        return true
    }

    /// What the bank says, in answer to the decision or to a question. A final status stays. After an answer was given here,
    /// `pending` is old news and an unknown word means that it is still processed.
    public mutating func hear(_ word: AuthorizationStatus) {
        guard !status.isFinal else { return }
        switch word {
        case .pending, .unknown: if verdict == nil { status = word }
        default: status = word
        }
    }

    /// What became of the answer that was given here; nil while that is open, or when none was given.
    public var outcome: Outcome? { verdict.flatMap { status.finalOutcome(of: $0) } }

    /// Whether it was denied here and is confirmed there all the same.
    public var isOverturned: Bool { verdict.map(status.overturns) ?? false }
}

extension AuthorizationStatus {
    /// Whether the bank did what was denied.
    public func overturns(_ verdict: Verdict) -> Bool { verdict == .deny && self == .confirmed }

    /// What a final status means for a decision: the wanted word is success, `closed` and its like mean that it came too
    /// late, any other final word is a refusal. Nil while the status is not final.
    public func finalOutcome(of verdict: Verdict) -> Outcome? {
        switch self {
        case .pending, .confirmProcessing, .denyProcessing, .unknown: nil
        case .confirmed: verdict == .approve ? .confirmed : .refused
        case .denied: verdict == .deny ? .denied : .refused
        case .timeOut, .closed, .unavailable: .expired
        case .error: .refused
        }
    }
}
