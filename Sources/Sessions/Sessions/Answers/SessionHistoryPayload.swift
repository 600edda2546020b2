public import Basics
import Display

/// The answer of `history --sessions`. Safe to show.
public struct SessionHistoryPayload: Codable, Sendable, Equatable {
    public struct Entry: Codable, Sendable, Equatable {
        public var at: Timestamp
        /// `signed_in`, `signed_out`, `ended`, `completed`, `granted`, `refused`, `revoked` or `handed_out`;
        /// in logs of earlier builds also `suspended`.
        public var event: String
        /// The session's name at that time.
        public var session: String
        /// The issuer's host.
        public var host: String
        @OrNull public var program: ProgramPayload?
        public var scopes: [String]
        /// A word or a number with details, depending on the event.
        @OrNull public var detail: String?
        /// The hash of the log up to this event.
        public var hash: String

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

    public var events: [Entry]
    /// `intact`, or `broken at …`.
    public var log: String
    /// Breaks of the log that the person looked at and accepted; present only if there are any.
    public var accepted: [AcceptedBreakPayload]?
    /// The rows beside the log that cannot be read; present only if there are any, and the log was verified.
    public var failures: [DamagedRowsPayload]?

    init(_ notes: [LoggedNote], _ verdict: LogVerdict, failures: [DamagedRowsPayload]? = nil) {
        self.failures = failures
        events = notes.map(Entry.init)
        log = verdict.text
        accepted = AcceptedBreakPayload.list(verdict.accepted)
    }

    public var isIntact: Bool { log == LogVerdict.intact(events: 0).text }
}
