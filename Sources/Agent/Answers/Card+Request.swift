public import Authenticator
public import Display
import SCA

extension Card {
    /// What the guard against fatigue looks at.
    public var request: FatigueGuard.Request {
        FatigueGuard.Request(
            fingerprint: fingerprint, title: title.line, amount: amount,
            shape: (html ? ["html"] : []) + fields.keys.sorted())
    }
}

extension FatigueGuard {
    /// Remembers what the log knows to have been approved at `moment`: by its title alone, and with each amount that its text
    /// names, since the log keeps no fields.
    public mutating func approved(_ entry: HistoryPayload.Entry, at moment: Moment) {
        guard entry.decision == .approve, [.confirmed, .processing, .unknown].contains(entry.outcome) else { return }
        let label = "Amount: "
        let amounts = entry.text.split(separator: "\n").filter { $0.hasPrefix(label) }
        approved(title: entry.title, amount: nil, at: moment)
        for amount in amounts {
            approved(title: entry.title, amount: String(amount.dropFirst(label.count)), at: moment)
        }
    }
}
