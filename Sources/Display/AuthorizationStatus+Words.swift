public import SCA

extension AuthorizationStatus {
    /// The wire's word for it (saltedge-v2 section 8.4), safe: for cards and JSON.
    public var words: DisplayText {
        switch self {
        case .pending: DisplayText("pending")
        case .confirmProcessing: DisplayText("confirm_processing")
        case .denyProcessing: DisplayText("deny_processing")
        case .confirmed: DisplayText("confirmed")
        case .denied: DisplayText("denied")
        case .error: DisplayText("error")
        case .timeOut: DisplayText("time_out")
        case .unavailable: DisplayText("unavailable")
        case .closed: DisplayText("closed")
        case .unknown(let word): DisplayText(word)
        }
    }
}
