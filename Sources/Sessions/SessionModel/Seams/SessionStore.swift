import Basics
package import FoundationEssentials
package import Keys

/// Where sessions and their tokens are kept, sealed. Each function that changes something does so in one transaction, and the change
/// is on disk when it returns. A note is written in the same transaction, if one is given. Errors are `StoreError`s and those of the vault.
package protocol SessionStore: DepartureStore, RescueStore {
    /// Sorted by name.
    func sessions() throws -> [SignIn]
    /// Nil when the session is gone; `TokenSet.damaged` if they cannot be read.
    func tokens(of session: SessionID) throws -> TokenSet?

    /// Adds a session with its tokens. If its name is taken, it gets the next one that is free, and so does the note. Returns it as it is
    /// kept.
    func add(_ session: SignIn, with tokens: TokenSet, noting note: SessionNote?) throws -> SignIn
    /// Replaces a session and its tokens after a new login. Throws `StoreError` `notFound` when it is gone.
    func replace(_ session: SignIn, with tokens: TokenSet, noting note: SessionNote?) throws
    /// Changes a session, given the other sessions, and returns it. If `change` throws, nothing changes. Throws `StoreError`
    /// `notFound` when the session is gone.
    func update(
        _ session: SessionID, _ change: (inout SignIn, _ others: [SignIn]) throws -> Void
    ) throws -> SignIn
    /// Replaces the tokens of a session. Throws `StoreError` `notFound` when the session is gone, and `EndedMeanwhile` when the person
    /// ended it and `tokens` does not say so.
    func write(_ tokens: TokenSet, of session: SessionID, noting note: SessionNote?) throws
    /// Ends a session, even while it is in use: writes, in one step, the tokens, the owed revocations and the note that `change`
    /// returns. Does nothing if the session is gone or `change` returns nil. Returns whether it was ended.
    func end(
        _ session: SessionID,
        _ change: (SignIn, TokenSet) throws -> (TokenSet, owing: [OwedRevocation], noting: SessionNote)?
    ) throws -> Bool
    /// Removes a session with its tokens, its sites and its grants, and keeps the revocations that are still owed.
    func remove(_ session: SessionID, owing: [OwedRevocation], noting note: SessionNote?) throws

    /// Keeps tokens and registrations that must still be ended at their issuers.
    func owe(_ revocations: [OwedRevocation]) throws
    func owed() throws -> [OwedRevocation]
    /// Forgets an owed revocation, if it is there.
    func settle(_ revocation: OwedRevocation) throws

    /// Sorted by rule.
    func sites() throws -> [Site]
    /// Adds a site. Throws `SessionError` `ruleTaken` when there is one with the same rule.
    func add(_ site: Site) throws
    /// Removes a site, if it is there.
    func remove(_ site: SiteID) throws

    /// How many rows of each kind were changed from outside and cannot be read; no entry for a kind without any.
    func damagedRows() throws -> [SessionRow: Int]

    /// Takes the lock of a session's tokens, which all processes share. Hold it to renew the tokens, to sign in again and to sign
    /// out.
    func takeTurn(of session: SessionID) throws -> Turn
}

extension SessionStore {
    package func write(_ tokens: TokenSet, of session: SessionID) throws {
        try write(tokens, of: session, noting: nil)
    }
}

/// The kinds of rows that are kept of sessions.
package enum SessionRow: CaseIterable, Sendable {
    case session, tokens, site, grant, owed, note
    /// How the person left.
    case departure
}

/// The person ended a session while its tokens were in use.
package struct EndedMeanwhile: Error {
    package let reason: EndReason

    package init(_ reason: EndReason) { self.reason = reason }

    /// Throws this if writing `next` in place of `present` would undo an act of the person.
    package static func demand(_ next: TokenSet, over present: TokenSet?) throws(EndedMeanwhile) {
        guard let end = present?.end, end.isByPerson, next.end?.isByPerson != true else { return }
        throw EndedMeanwhile(end)
    }
}

/// The lock of one session's tokens, or its present holder.
package enum Turn: Sendable {
    case taken(any HeldTurn)
    /// `by`: the process that holds it, where that is known.
    case held(by: Int32?)
}

/// A lock that is held until `end`, until the last reference to it goes, and in any case until the process dies.
package protocol HeldTurn: AnyObject, Sendable {
    func end()
}

/// A token or a registration that is still to be ended at its issuer, which could not be reached when the person signed out; or a
/// registration that no session uses yet.
package struct OwedRevocation: Sendable, Codable {
    package enum Kind: String, Sendable, Codable {
        case access = "access_token"
        case refresh = "refresh_token"
        /// `token` is the registration's own token; the client has the address.
        case registration
        /// A registration that a failed login left: the next login at the issuer takes it. `token` as of `registration`; nil if the
        /// issuer deletes no registrations.
        case unused
    }

    /// A UUID.
    package var id: String
    package var issuer: IssuerMetadata
    package var client: ClientRegistration
    package var token: SecretSlot?
    package var kind: Kind
    package var since: Date

    package init(
        id: String, issuer: IssuerMetadata, client: ClientRegistration, token: SecretSlot?, kind: Kind,
        since: Date
    ) {
        self.id = id
        self.issuer = issuer
        self.client = client
        self.token = token
        self.kind = kind
        self.since = since
    }
}
