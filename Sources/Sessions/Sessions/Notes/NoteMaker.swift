import Basics
import SessionModel

/// Makes notes of present events.
struct NoteMaker: Sendable {
    let clock: Clock
    /// Makes a UUID.
    let makeID: @Sendable () throws -> String
    /// The caller behind the event; nil if there is none.
    let requester: Requester?

    func signedIn(_ session: SignIn, again: Bool) throws -> SessionNote {
        try note(.signedIn, session, detail: again ? "again" : nil)
    }

    /// The end of a session's tokens at the issuer.
    enum Issuer: String {
        case revoked
        /// It must still be notified.
        case owed
        case local
    }

    /// `isTold`: whether the issuer ended the tokens. `isOwed`: whether it must still be notified.
    func signedOut(_ session: SignIn, isTold: Bool, isOwed: Bool) throws -> SessionNote {
        try note(.signedOut, session, detail: (isOwed ? Issuer.owed : isTold ? .revoked : .local).rawValue)
    }

    func ended(_ session: SignIn, _ reason: EndReason) throws -> SessionNote {
        try note(.ended, session, detail: reason.rawValue)
    }

    /// A renewal's answer was lost, and a later attempt brought the tokens.
    func completed(_ session: SignIn) throws -> SessionNote { try note(.completed, session) }

    func granted(_ grant: ProgramGrant, _ session: SignIn) throws -> SessionNote {
        try note(.granted, session, grant, detail: grant.use.rawValue)
    }

    func refused(_ program: Program, _ scopes: Scopes, _ session: SignIn) throws -> SessionNote {
        try note(.refused, session, program: program, scopes: scopes)
    }

    /// `count`: how many tokens, since the last such note.
    func handedOut(_ count: Int, by grant: ProgramGrant, _ session: SignIn) throws -> SessionNote {
        try note(.handedOut, session, grant, detail: String(count))
    }

    /// How a grant was revoked, unless the person revoked it and left its tokens.
    enum Revocation: String {
        /// The tokens that it gave are to end too.
        case cut
        /// The program asked for it.
        case byItself = "by_itself"
    }

    func revoked(_ grant: ProgramGrant, _ session: SignIn, _ how: Revocation?) throws -> SessionNote {
        try note(.revoked, session, grant, detail: how?.rawValue)
    }

    private func note(
        _ event: SessionNote.Event, _ session: SignIn, _ grant: ProgramGrant, detail: String?
    ) throws -> SessionNote {
        try note(event, session, program: grant.program, scopes: grant.scopes, detail: detail)
    }

    private func note(
        _ event: SessionNote.Event, _ session: SignIn, program: Program? = nil, scopes: Scopes? = nil,
        detail: String? = nil
    ) throws -> SessionNote {
        SessionNote(
            id: try makeID(), at: clock.now(), event, session: session.name, host: session.issuer.issuer.host,
            program: program, requester: requester, scopes: scopes ?? session.granted, detail: detail)
    }
}
