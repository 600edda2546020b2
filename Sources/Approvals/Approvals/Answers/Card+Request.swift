package import ApprovalModel
package import Basics
import FoundationEssentials

extension Card {
    /// The card's data for `FatigueGuard`.
    package var request: FatigueGuard.Request {
        FatigueGuard.Request(
            fingerprint: fingerprint, title: title.line, amount: amount,
            shape: (html ? ["html"] : []) + fields.keys.sorted())
    }
}

extension FatigueGuard {
    /// Remembers a decision with this failure, if it approves and may count. An outcome that is unknown may count, even if the bank later
    /// says otherwise: the person has approved it all the same.
    package mutating func decided(_ verdict: Verdict, on card: Card, _ failure: Failure?, at moment: Moment) {
        guard verdict == .approve, failure == nil || failure?.kind == .unknown else { return }
        approved(card.request, at: moment)
    }

    /// Adds recent approvals of any command, as the log has them. Entries that are too old change nothing.
    package mutating func learn(from entries: [HistoryPayload.Entry], by clock: Clock) {
        let (now, moment) = (clock.now(), clock.moment())
        for entry in entries {
            approved(entry, at: moment - .seconds(max(0, now.timeIntervalSince(entry.at.date))))
        }
    }

    /// Remembers an approval that the log holds, made at `moment`.
    private mutating func approved(_ entry: HistoryPayload.Entry, at moment: Moment) {
        guard entry.decision == .approve, [.confirmed, .processing, .unknown].contains(entry.outcome) else { return }
        guard let fields = entry.fields else { return approvedBeforeFields(title: entry.title, at: moment) }
        approved(title: entry.title, amount: Card.amount(in: fields), at: moment)
    }
}
