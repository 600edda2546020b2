package import Approvals
package import ApprovalModel

extension Ask {
    /// The question in one or two sentences of our own. Nil for a card, which is drawn, for a PIN, which
    /// has a field of its own, and for a question that brings its words, or that only a window asks.
    package func words(on card: Card, to verdict: Verdict) -> String? {
        return switch self {
        case .card, .pin, .grant, .code, .connection, .link, .review, .verdict, .denyAll, .yesNo, .notice: nil
        case .distinction: "You approved the same a few minutes ago. Type the \(card.distinction) to approve it again"
        case .title: "Read the warning. Type the title to go on"
        case .caution(let caution): caution.words
        case .anotherChoice: "What you chose was not accepted; after another wrong one this can only be denied."
        case .option: "Choose what the other side shows"
        case .agreement: verdict == .approve ? "Approve this?" : "Deny this?"
        }
    }
}
