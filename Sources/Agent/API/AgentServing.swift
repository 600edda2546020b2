public import Authenticator
public import Basics
public import Sessions

// Errors thrown here become a `Failure` by `Failure(_:)`. If no PIN comes along, the agent asks for it by its own
// prompt, at the place that `CallerContext.prompt` names.

/// The agent, as the API needs it for the agent's own verbs.
public protocol AgentServing: Sendable {
    /// The agent's version, state and vault. Answered in every state.
    func handshake() async throws -> Handshake
    func status() async throws -> StatusPayload
    /// Opens the agent with the PIN.
    func unlock(_ pin: (any Secret)?, from source: PINSource, for caller: CallerContext) async throws -> StatusPayload
    /// Shuts the agent: keys and content are wiped.
    func lock() async throws -> StatusPayload
    /// A key was pressed in a front end, which counts as use.
    func use(for caller: CallerContext) async throws
    /// Throws a failure of kind `locked` when content may not be shown. Does not count as use.
    func demandOpen() async throws
    /// First each authorization that waits, as `added`, then each change. While locked, only how many wait. Does not count as use.
    /// If sessions are wanted, and while they are at hand: each session and each request of a program, then each change.
    func events(_ request: EventsRequest) async throws -> AsyncThrowingStream<AgentEvent, any Error>
}

/// The agent, as the API needs it for the verbs of sessions.
public protocol SessionServing: Sendable {
    /// The sessions at hand. Throws a failure of kind `locked` while they are not. A request of a person is use.
    func sessions(for caller: CallerContext) async throws -> any SessionOperations
    /// The sessions at hand that the asking program has grants for, and its grants. Both throw as `sessions` does.
    func ownSessions(for caller: CallerContext) async throws -> OwnSessionsPayload
    func ownGrants(for caller: CallerContext) async throws -> GrantsPayload
    /// A token, if the caller may have it: the person on a terminal, or a program by its grant. Throws `SessionError`.
    func token(_ request: TokenRequest, for caller: CallerContext) async throws -> TokenPayload
    /// The headers for a request, by the same rules.
    func headers(_ request: HeadersRequest, for caller: CallerContext) async throws -> HeadersPayload
    /// The output of a command, by the same rules, if that needs no renewal, no question and no change.
    func ready(_ request: ReadyRequest, for caller: CallerContext) async throws -> ReadyPayload
    /// The log's events of sessions and grants. Throws a failure of kind `locked` while its key is not there.
    func history(_ request: SessionHistoryRequest, for caller: CallerContext) async throws -> SessionHistoryPayload
    /// The requests of programs that wait.
    func programRequests(for caller: CallerContext) async throws -> RequestsPayload
    /// Grants the request of a program. Throws `SessionError` `noRequest`, and `PINError`.
    func allow(
        _ id: String, _ options: AllowOptions, pin: any Secret, from source: PINSource, for caller: CallerContext
    ) async throws -> AnsweredRequestPayload
    func refuse(_ id: String, for caller: CallerContext) async throws -> AnsweredRequestPayload
    /// Grants a program tokens without a request. Throws `PINError`.
    func allow(
        _ options: GrantOptions, pin: any Secret, from source: PINSource, for caller: CallerContext
    ) async throws -> OneGrantPayload
    /// Revokes all grants of the asking program. While nothing can be written, this is kept in memory until the next PIN. Throws the
    /// store's errors, and a failure of kind `locked` if too many programs wait for the PIN.
    func revokeOwn(for caller: CallerContext) async throws
    /// Binds a site that the person saw on a card. Throws `SessionError` and `PINError`.
    func addSite(
        _ new: NewSite, pin: any Secret, from source: PINSource, for caller: CallerContext
    ) async throws -> OneSitePayload
    /// Signs out. The agent sends later the revocations that it could not send to issuers now.
    func signOut(_ name: String, _ options: SignOutOptions, for caller: CallerContext) async throws
        -> EndedSessionPayload
    /// Begins a login, which is kept until it ends.
    func beginLogin(_ request: LoginRequest, for caller: CallerContext) async throws -> OpenLogin
    /// The person agreed to the hosts. Throws `SessionError` `loginEnded` for a login that is not under way.
    func acceptLogin(
        _ id: String, _ acceptance: LoginAcceptance, for caller: CallerContext
    ) async throws -> LoginNext
    /// Judges an address that the browser was led to. Throws as `acceptLogin` does, and the error that ended the login.
    func redirectLogin(_ id: String, _ address: String, for caller: CallerContext) async throws -> LoginVerdict
    /// Waits for the end of a login by a device. Throws as `redirectLogin` does.
    func login(_ id: String, _ wait: LoginWait, for caller: CallerContext) async throws -> LoginVerdict
    /// Ends a login that has made no session, and forgets it.
    func endLogin(_ id: String) async
    /// Changes when a session is signed out. Throws `SessionError` `takesPIN` for a later time without the PIN.
    func setSignOut(
        of name: String, _ options: SignOutChange, pin: (any Secret)?, from source: PINSource,
        for caller: CallerContext
    ) async throws -> OneSessionPayload
    /// A session or a grant may have changed or gone: the key may no longer be needed, and watchers get events.
    func changed() async
}

/// The agent, as the API needs it for the verbs of approvals.
public protocol ApprovalServing: Sendable {
    /// The operations for one request. Throws a failure of kind `locked` while content may not be shown. A request of a
    /// person is use.
    func operations(for caller: CallerContext) async throws -> any Operations
    /// Asks the person whether another program may do this without the PIN: `change` describes the action, with our own
    /// words and names. Our own program has asked already. Throws `cancelled` for a no, and a failure of kind `locked`
    /// if nobody can be asked or content may not be shown.
    func demandYes(to change: String, for caller: CallerContext) async throws
    /// The authorizations that the agent knows of, of all banks or of one. Asks no bank, and does not count as use. Throws a
    /// failure of kind `locked` while content may not be shown.
    func known(_ connection: String?) async throws -> PendingRound
    /// The agent's own prompt shows bank, title, fingerprint and requester before it takes the PIN.
    func approve(
        _ request: DecisionRequest, pin: (any Secret)?, from source: PINSource, for caller: CallerContext
    ) async throws -> DecisionPayload
    /// Denies, at a bank where a denial takes the PIN.
    func deny(
        _ request: DecisionRequest, pin: (any Secret)?, from source: PINSource, for caller: CallerContext
    ) async throws -> DecisionPayload
    /// Nobody waits for this decision any more: a PIN that is typed for it now sends nothing, and the bank's final word is
    /// not awaited. Returns false when no decision on this REF is under way.
    func giveUp(_ ref: String) async -> Bool
    /// Begins an enrollment, which is kept until it is ended.
    func beginEnrollment(_ request: EnrollmentRequest, for caller: CallerContext) async throws -> OpenEnrollment
    /// The steps of an enrollment that was begun; nil when there is none of this id. Throws a failure of kind `locked`
    /// while nothing may be stored; the enrollment goes on after the PIN.
    func enrollment(_ id: String) async throws -> (any EnrollmentSteps)?
    /// Ends an enrollment, driven on or not, and forgets it.
    func endEnrollment(_ id: String) async
}
