public import Basics

/// The calls of a front end about sessions. They go to the agent's socket if an agent has sessions at hand; otherwise
/// the command carries them out itself. `Failure(_:)` turns their errors into a `Failure`.
public protocol SessionOperations: SiteOperations {
    /// Carries out a verb that needs only the sessions at hand.
    ///
    /// - Parameter name: fills the placeholder in the verb's path; empty if it has none.
    func perform<Input, Output>(
        _ verb: SessionVerb<Input, Output>, on name: String, _ input: Input
    ) async throws -> Output
    /// A token that may be handed out, renewed if need be.
    func token(_ request: TokenRequest) async throws -> TokenPayload
    /// The headers for a request, with the token of the session that is for its address.
    func headers(_ request: HeadersRequest) async throws -> HeadersPayload
    /// The log's notes about sessions and grants.
    func history(_ request: SessionHistoryRequest) async throws -> SessionHistoryPayload
    /// Lets a program have tokens of a session, by the person's PIN.
    func allow(_ options: GrantOptions, pin: EnteredPIN) async throws -> OneGrantPayload
    /// Begins a login. Throws if the request cannot be carried out, as far as that is known before its first step.
    func login(_ request: LoginRequest) throws -> any LoginSteps
    /// Makes the calls that are still owed to issuers. An agent does that by itself.
    func settle() async throws
    /// Changes when a session is signed out; a later time takes the person's PIN. Throws `SessionError` `takesPIN` if the PIN is
    /// missing.
    func setSignOut(
        of name: String, _ options: SignOutChange, pin: EnteredPIN?
    ) async throws -> OneSessionPayload
}

extension SessionOperations {
    public func sessions() async throws -> SessionsPayload {
        try await perform(SessionVerbs.sessions, on: "", NoInput())
    }

    public func grants() async throws -> GrantsPayload { try await perform(SessionVerbs.grants, on: "", NoInput()) }

    /// `cut`: also ends, at the issuer, the tokens that were handed out by it.
    public func revokeGrant(_ id: String, cut: Bool = false) async throws -> RevokedGrantPayload {
        try await perform(SessionVerbs.revoke, on: id, RevokeOptions(cut: cut))
    }
}
