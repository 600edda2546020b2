import SCA

extension AuthorizationStatus {
    /// What a final status means for a decision that was sent: the wanted word is success, `closed` and its like mean that
    /// it came too late, any other final word is a refusal. Nil while the status is not final; an unknown word never is
    /// (saltedge-v2 section 8.4; cli, "Final words of v2").
    func finalOutcome(of verdict: Verdict) -> Outcome? {
        switch self {
        case .pending, .confirmProcessing, .denyProcessing, .unknown: nil
        case .confirmed: verdict == .approve ? .confirmed : .refused
        case .denied: verdict == .deny ? .denied : .refused
        case .timeOut, .closed, .unavailable: .expired
        case .error: .refused
        }
    }
}
