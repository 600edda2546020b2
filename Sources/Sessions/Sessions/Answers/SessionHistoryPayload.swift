package import Basics
import Display
package import Keys
import SessionModel

/// The answer of `history --sessions`. Safe to show.
package struct SessionHistoryPayload: Codable, Sendable, Equatable {
    package struct Entry: Codable, Sendable, Equatable {
        package var at: Timestamp
        /// `signed_in`, `signed_out`, `ended`, `completed`, `granted`, `refused`, `revoked` or `handed_out`;
        /// in logs of earlier builds also `suspended`.
        package var event: String
        /// The session's name at that time.
        package var session: String
        /// The issuer's host.
        package var host: String
        @OrNull package var program: ProgramPayload?
        package var scopes: [String]
        /// A word or a number with details, depending on the event.
        @OrNull package var detail: String?
        /// The hash of the log up to this event.
        package var hash: String

        init(_ logged: LoggedNote) {
            let note = logged.note
            at = Timestamp(note.at)
            event = note.event.rawValue
            session = note.session.text
            host = DisplayText(note.host).line
            program = note.program.map(ProgramPayload.init)
            scopes = note.scopes.all
            detail = note.detail
            hash = logged.hash
        }
    }

    package var events: [Entry]
    /// `intact`, or `broken at …`.
    package var log: String
    /// Breaks of the log that the person looked at and accepted; present only if there are any.
    package var accepted: [AcceptedBreakPayload]?
    /// The rows beside the log that cannot be read; present only if there are any, and the log was verified.
    package var failures: [DamagedRowsPayload]?

    init(_ notes: [LoggedNote], _ verdict: LogVerdict, failures: [DamagedRowsPayload]? = nil) {
        self.failures = failures
        events = notes.map(Entry.init)
        log = verdict.text
        accepted = AcceptedBreakPayload.list(verdict.accepted)
    }

    package var isIntact: Bool { log == LogVerdict.intact(events: 0).text }
}
