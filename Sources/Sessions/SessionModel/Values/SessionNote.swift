package import Basics
package import FoundationEssentials

/// An event of a session or of a program's grant, for the log.
package struct SessionNote: Sendable, Codable, Equatable {
    package enum Event: String, Sendable, Codable, CaseIterable {
        case signedIn = "signed_in"
        /// The person signed out.
        case signedOut = "signed_out"
        /// It ended in any other way.
        case ended
        /// A renewal had been interrupted, and was completed.
        case completed
        /// A program may have tokens.
        case granted
        /// The person refused a program's request.
        case refused
        case revoked
        /// Of logs that earlier builds wrote: the grant stayed, and gave nothing.
        case suspended
        /// A program got tokens: the first of its grant, then all tokens of at least a day together.
        case handedOut = "handed_out"
    }

    /// A UUID. The log has no note twice.
    package let id: String
    package var at: Date
    package var event: Event
    /// The session's name at that time.
    package var session: SessionName
    /// The issuer's host.
    package var host: String
    /// The program that it is about, if any.
    package var program: Program?
    /// The caller behind the event; nil where there is none.
    package var requester: Requester?
    /// The scopes of the session, or of the grant.
    package var scopes: Scopes
    /// A word or a number with details, depending on the event (`NoteMaker`).
    package var detail: String?

    package init(
        id: String, at: Date, _ event: Event, session: SessionName, host: String, program: Program? = nil,
        requester: Requester? = nil, scopes: Scopes, detail: String? = nil
    ) {
        self.id = id
        self.at = at
        self.event = event
        self.session = session
        self.host = host
        self.program = program
        self.requester = requester
        self.scopes = scopes
        self.detail = detail
    }
}
