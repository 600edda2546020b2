public import Basics

extension AuthorizationStatus {
    private static let words: [(String, Self)] = [
        ("pending", .pending), ("confirm_processing", .confirmProcessing), ("deny_processing", .denyProcessing),
        ("confirmed", .confirmed), ("denied", .denied), ("error", .error), ("time_out", .timeOut),
        ("unavailable", .unavailable), ("closed", .closed),
    ]

    /// The word on the wire (saltedge-v2 section 8.4).
    public init(word: String) {
        self = Self.words.first { $0.0 == word }?.1 ?? .unknown(BankText(word))
    }

    /// The word on the wire; an unknown one as the bank sent it.
    public var word: BankText {
        if case .unknown(let word) = self { return word }
        return BankText(Self.words.first { $0.1 == self }?.0 ?? "")
    }

    /// Whether the bank works on a decision.
    public var isProcessing: Bool { self == .confirmProcessing || self == .denyProcessing }

    /// Whether nothing comes after it. An unknown word never is final, and never means success.
    public var isFinal: Bool {
        switch self {
        case .confirmed, .denied, .error, .timeOut, .unavailable, .closed: true
        case .pending, .confirmProcessing, .denyProcessing, .unknown: false
        }
    }
}
