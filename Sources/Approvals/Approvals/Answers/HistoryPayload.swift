package import Basics
import Display
import FoundationEssentials
package import ApprovalModel
package import Keys

extension Outcome {
    /// The words for an outcome that is only likely.
    package var likelihood: String { "gone at the bank before it expired: probably \(rawValue)" }
}

/// The answer of `history`.
package struct HistoryPayload: Codable, Sendable, Equatable {
    package struct Entry: Codable, Sendable, Equatable {
        package var at: Timestamp
        package var ref: String
        /// It was denied here, but the bank says that it was confirmed.
        package var alarm: Bool
        package var bank: String
        package var title: String
        package var text: String
        /// Values by wire name, as in `show`; null in entries of versions that did not keep them.
        @OrNull package var fields: [String: String]?
        package var decision: Verdict
        package var outcome: Outcome
        @OrNull package var basis: Basis?
        /// The probable outcome of an `unknown` one (`DecisionEntry.likely`).
        @OrNull package var likely: Outcome?
        /// No more news is expected: an `unknown` outcome stays unknown here, and only the bank knows it.
        package var final: Bool
        package var fingerprint: String
        package var hash: String
        /// The decrypted plaintext, safe to show; null unless it was requested, and in entries of versions that did not
        /// keep it.
        @OrNull package var source: String?

        package init(_ entry: DecisionEntry, withSource: Bool) {
            at = Timestamp(entry.at)
            ref = Reference.text(entry.shown.connectionName, entry.shown.id)
            alarm = entry.isOverturned
            bank = DisplayText(entry.shown.bank).line
            title = DisplayText(entry.shown.title).line
            text = entry.shown.text
            fields = entry.shown.fields
            decision = entry.verdict
            outcome = entry.outcome
            basis = entry.basis
            likely = entry.likely
            final = entry.isFinal
            fingerprint = entry.shown.fingerprint.hex
            hash = entry.hash
            source = withSource ? entry.shown.source.map { DisplayText($0).block } : nil
        }
    }

    /// One instant action that was claimed.
    package struct Action: Codable, Sendable, Equatable {
        package var at: Timestamp
        package var connection: String
        package var bank: String
        package var host: String
        package var action: String
        package var outcome: ClaimOutcome
        /// The reference of the authorization that the bank asks for because of the claim.
        @OrNull package var authorization: String?
        package var hash: String

        init(_ entry: ClaimEntry) {
            at = Timestamp(entry.at)
            connection = entry.action.connectionName.text
            bank = DisplayText(entry.action.bank).line
            host = entry.action.host
            action = DisplayText(entry.action.action).line
            outcome = entry.outcome
            authorization = entry.authorization.map { Reference.text(entry.action.connectionName, $0) }
            hash = entry.hash
        }
    }

    package var decisions: [Entry]
    /// Claims of instant actions; present only if there are any.
    package var actions: [Action]?
    /// `intact`, or `broken at …`.
    package var log: String
    /// Breaks of the log that the person looked at and accepted; present only if there are any.
    package var accepted: [AcceptedBreakPayload]?
    /// Connections that cannot be read; present only if there are any, and the log was verified.
    package var failures: [BankFailurePayload]?

    package init(
        _ entries: [DecisionEntry], _ claims: [ClaimEntry], _ verdict: LogVerdict, withSource: Bool,
        damagedRows: Int = 0
    ) {
        let damaged = BankFailurePayload.damagedRows(damagedRows)
        failures = damaged.isEmpty ? nil : damaged
        decisions = entries.map { Entry($0, withSource: withSource) }
        actions = claims.isEmpty ? nil : claims.map(Action.init)
        log = verdict.text
        accepted = AcceptedBreakPayload.list(verdict.accepted)
    }

    package var isIntact: Bool { log == LogVerdict.intact(events: 0).text }
}

extension [HistoryPayload.Entry] {
    /// How many approvals of exactly this content the bank refused.
    package func refusals(of fingerprint: Fingerprint) -> Int {
        count { $0.fingerprint == fingerprint.hex && $0.decision == .approve && $0.outcome == .refused }
    }
}
