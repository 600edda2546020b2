package import Basics

extension AuthorizationStatus {
    private static let words: [(String, Self)] = [
        ("pending", .pending), ("confirm_processing", .confirmProcessing), ("deny_processing", .denyProcessing),
        ("confirmed", .confirmed), ("denied", .denied), ("error", .error), ("time_out", .timeOut),
        ("unavailable", .unavailable), ("closed", .closed),
    ]

    /// Reads a word of the wire (saltedge-v2 section 8.4).
    package init(word: String) {
        self = Self.words.first { $0.0 == word }?.1 ?? .unknown(BankText(word))
    }

    /// The word on the wire; for an unknown status, as the bank sent it.
    package var word: BankText {
        if case .unknown(let word) = self { return word }
        return BankText(Self.words.first { $0.1 == self }?.0 ?? "")
    }

    /// Whether the bank is still processing a decision.
    package var isProcessing: Bool { self == .confirmProcessing || self == .denyProcessing }

    /// Whether the status can no longer change. An unknown word is never final, and never means success.
    package var isFinal: Bool {
        switch self {
        case .confirmed, .denied, .error, .timeOut, .unavailable, .closed: true
        case .pending, .confirmProcessing, .denyProcessing, .unknown: false
        }
    }
}
