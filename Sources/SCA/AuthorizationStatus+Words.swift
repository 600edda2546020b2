extension AuthorizationStatus {
    /// The word on the wire (saltedge-v2 section 8.4).
    public init(word: String) {
        self =
            switch word {
            case "pending": .pending
            case "confirm_processing": .confirmProcessing
            case "deny_processing": .denyProcessing
            case "confirmed": .confirmed
            case "denied": .denied
            case "error": .error
            case "time_out": .timeOut
            case "unavailable": .unavailable
            case "closed": .closed
            default: .unknown(BankText(word))
            }
    }

    /// Whether nothing comes after it. An unknown word never is final, and never means success.
    public var isFinal: Bool {
        switch self {
        case .confirmed, .denied, .error, .timeOut, .unavailable, .closed: true
        case .pending, .confirmProcessing, .denyProcessing, .unknown: false
        }
    }
}
