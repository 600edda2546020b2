import Basics
public import FoundationEssentials

extension Card {
    /// What the guard against fatigue looks at.
    public var request: FatigueGuard.Request {
        FatigueGuard.Request(
            fingerprint: fingerprint, title: title.line, amount: amount,
            shape: (html ? ["html"] : []) + fields.keys.sorted())
    }
}

extension FatigueGuard {
    /// Learns from entries of the log what was approved lately, by whichever command; those that are too old change nothing.
    public mutating func learn(from entries: [HistoryPayload.Entry], at now: Date) {
        let moment = Moment.now
        for entry in entries {
            guard let at = Timestamp.parse(entry.at) else { continue }
            approved(entry, at: moment - .seconds(max(0, now.timeIntervalSince(at))))
        }
    }

    /// Remembers what the log knows to have been approved at `moment`: by its title alone, and with each amount that its text
    /// names, since the log keeps no fields.
    private mutating func approved(_ entry: HistoryPayload.Entry, at moment: Moment) {
        guard entry.decision == .approve, [.confirmed, .processing, .unknown].contains(entry.outcome) else { return }
        let label = "Amount: "
        let amounts = entry.text.split(separator: "\n").filter { $0.hasPrefix(label) }
        approved(title: entry.title, amount: nil, at: moment)
        for amount in amounts {
            approved(title: entry.title, amount: String(amount.dropFirst(label.count)), at: moment)
        }
    }
}
