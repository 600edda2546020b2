package import ApprovalModel

extension Caution {
    /// The text above the question whether to go on.
    package var words: String {
        switch self {
        case .mayBlock: "A wrong response may block this account at the bank."
        case .lastAttempt: "The bank takes one more wrong response, and then blocks this account."
        }
    }
}
