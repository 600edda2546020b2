import Basics
import FoundationEssentials
import Keys
import Synchronization
import Testing

@testable import SessionModel

/// Sessions in memory, with a list of what was written.
final class MemorySessions: SessionStore {
    struct State {
        var sessions: [SessionID: SignIn] = [:]
        var tokens: [SessionID: TokenSet] = [:]
        var owed: [OwedRevocation] = []
        var sites: [Site] = []
        var grants: [ProgramGrant] = []
        var notes: [SessionNote] = []
        var departures: [Departure] = []
        var written: [TokenSet] = []
        var isHeld = false
        /// How many writes fail from now on, as on a full disk.
        var failures = 0
        /// Whether there is a place beside the disk.
        var takesRescues = false
        /// Whether the keyring can be read.
        var givesRescues = true
        var rescued: [SessionID: TokenSet] = [:]
    }

    let state = Mutex(State())
    /// Called before each write of tokens.
    let onWrite = Mutex<@Sendable (TokenSet) -> Void>({ _ in })

    func sessions() throws -> [SignIn] { state.withLock { $0.sessions.values.sorted { $0.name < $1.name } } }
    func damagedRows() throws -> [SessionRow: Int] { [:] }
    func tokens(of session: SessionID) throws -> TokenSet? { state.withLock { $0.tokens[session] } }

    func add(_ session: SignIn, with tokens: TokenSet, noting note: SessionNote?) throws -> SignIn {
        state.withLock { state in
            var stored = session
            stored.name = session.name.free(among: Set(state.sessions.values.map(\.name)))
            state.sessions[session.id] = stored
            state.tokens[session.id] = tokens
            var note = note
            note?.session = stored.name
            state.notes += [note].compactMap(\.self)
            return stored
        }
    }

    func replace(_ session: SignIn, with tokens: TokenSet, noting note: SessionNote?) throws {
        state.withLock { state in
            state.notes += [note].compactMap(\.self)
            state.sessions[session.id] = session
            state.tokens[session.id] = tokens
        }
    }

    func update(
        _ session: SessionID, _ change: (inout SignIn, _ others: [SignIn]) throws -> Void
    ) throws -> SignIn {
        let all = try sessions()
        guard var changed = all.first(where: { $0.id == session }) else { throw StoreError.notFound("gone") }
        try change(&changed, all.filter { $0.id != session })
        state.withLock { [changed] in $0.sessions[session] = changed }
        return changed
    }

    func write(_ tokens: TokenSet, of session: SessionID, noting note: SessionNote?) throws {
        onWrite.withLock { $0 }(tokens)
        try state.withLock { state in
            guard state.failures == 0 else {
                state.failures -= 1
                throw StoreError.unusable("the disk is full")
            }
            guard state.tokens[session] != nil else { throw StoreError.notFound("gone") }
            try EndedMeanwhile.demand(tokens, over: state.tokens[session])
            state.tokens[session] = tokens
            state.written.append(tokens)
            state.notes += [note].compactMap(\.self)
        }
    }

    func end(
        _ session: SessionID,
        _ change: (SignIn, TokenSet) throws -> (TokenSet, owing: [OwedRevocation], noting: SessionNote)?
    ) throws -> Bool {
        try state.withLock { state in
            guard let found = state.sessions[session], let tokens = state.tokens[session],
                let (ended, owing, note) = try change(found, tokens)
            else { return false }
            state.tokens[session] = ended
            state.owed += owing
            state.notes.append(note)
            return true
        }
    }

    func remove(_ session: SessionID, owing: [OwedRevocation], noting note: SessionNote?) throws {
        state.withLock { state in
            state.sessions[session] = nil
            state.tokens[session] = nil
            state.owed += owing
            state.sites.removeAll { $0.session == session }
            state.grants.removeAll { $0.session == session }
            state.notes += [note].compactMap(\.self)
        }
    }

    func sites() throws -> [Site] { state.withLock { $0.sites.sorted { $0.rule.text < $1.rule.text } } }
    func add(_ site: Site) throws {
        try state.withLock { state in
            if let taken = state.sites.first(where: { $0.rule == site.rule }) { throw SessionError.ruleTaken(taken) }
            state.sites.append(site)
        }
    }
    func remove(_ site: SiteID) throws { state.withLock { state in state.sites.removeAll { $0.id == site } } }

    func owe(_ revocations: [OwedRevocation]) throws { state.withLock { $0.owed += revocations } }
    func owed() throws -> [OwedRevocation] { state.withLock { $0.owed } }
    func settle(_ revocation: OwedRevocation) throws {
        state.withLock { state in state.owed.removeAll { $0.id == revocation.id } }
    }

    func rescue(_ tokens: TokenSet, of session: SessionID) throws {
        try state.withLock { state in
            guard state.takesRescues else { throw StoreError.unusable("no keyring") }
            state.rescued[session] = tokens
        }
    }
    func rescued(_ session: SessionID) throws -> TokenSet? {
        try state.withLock { state in
            guard state.givesRescues else { throw StoreError.unusable("no keyring") }
            return state.rescued[session]
        }
    }
    func forgetRescued(_ session: SessionID) throws { state.withLock { $0.rescued[session] = nil } }

    func note(_ departure: Departure) throws {
        state.withLock { state in
            state.departures.removeAll { $0.event == departure.event }
            state.departures.append(departure)
        }
    }
    func departures() throws -> [Departure] { state.withLock { $0.departures } }
    func forget(_ departure: Departure) throws {
        state.withLock { state in state.departures.removeAll { $0 == departure } }
    }

    func takeTurn(of session: SessionID) throws -> Turn {
        state.withLock { state in
            guard !state.isHeld else { return .held(by: 4711) }
            state.isHeld = true
            return .taken(MemoryTurn(self))
        }
    }
}

final class MemoryTurn: HeldTurn {
    private let store: MemorySessions
    init(_ store: MemorySessions) { self.store = store }
    func end() { store.state.withLock { $0.isHeld = false } }
}

/// An issuer whose answers a test decides. What a test did not provide fails loudly.
struct ScriptedIssuer: IssuerService {
    var onRefresh: @Sendable (String, RefreshRequest) async -> TokenAnswer = { _, _ in
        Issue.record("a refresh was not expected")
        return .notSent(reason: "unprovided")
    }
    var onClient: @Sendable (ClientRegistration) -> Void = { _ in }
    var onJudge: @Sendable (TokenGrant, IssuerMetadata) async throws(IssuerError) -> RenewalJudgement = { _, _ in .right
    }
    var onDiscover: @Sendable () async throws(IssuerError) -> DiscoveredIssuer = { () async throws(IssuerError) in
        throw IssuerError.unsupported(reason: "unprovided")
    }
    var onRegister: @Sendable (_ forDevices: Bool) async throws(IssuerError) -> ClientRegistration = {
        (_) async throws(IssuerError) in throw IssuerError.unsupported(reason: "unprovided")
    }
    var onAuthorize:
        @Sendable (AuthorizationRequest, ClientRegistration) async throws(IssuerError) -> any AuthorizationAttempt = {
            (_, _) async throws(IssuerError) in throw IssuerError.unsupported(reason: "unprovided")
        }
    var onDevice: @Sendable (DeviceRequest, ClientRegistration) async throws(IssuerError) -> any DeviceAttempt = {
        (_, _) async throws(IssuerError) in throw IssuerError.unsupported(reason: "unprovided")
    }
    var onUnregister: @Sendable (ClientRegistration) async throws(IssuerError) -> Void = {
        (_) async throws(IssuerError) in
        throw IssuerError.unsupported(reason: "unprovided")
    }
    var onUserInfo: @Sendable (String) async throws(IssuerError) -> UserProfile = { (_) async throws(IssuerError) in
        throw IssuerError.unsupported(reason: "unprovided")
    }
    var onRevoke: @Sendable (String, RevocableToken) async throws(IssuerError) -> Void = {
        (_, _) async throws(IssuerError) in
        throw IssuerError.unsupported(reason: "unprovided")
    }

    var onDescribe: @Sendable (WebAddress, WebAddress?) async throws(IssuerError) -> ResourceDescription = {
        (_, _) async throws(IssuerError) in
        Issue.record("a description was not expected")
        throw IssuerError.unsupported(reason: "unprovided")
    }

    var onChallenges: @Sendable (WebAddress) async -> Challenges? = { _ in
        Issue.record("a request for challenges was not expected")
        return nil
    }

    func challenges(of resource: WebAddress) async -> Challenges? { await onChallenges(resource) }
    var authorities: AuthorityBundle? { nil }
    func trusting(_ authorities: AuthorityBundle) -> any IssuerService { self }
    func describe(_ resource: WebAddress, at place: WebAddress?) async throws(IssuerError) -> ResourceDescription {
        try await onDescribe(resource, place)
    }
    func discover(_ target: WebAddress, issuer: Issuer?) async throws(IssuerError) -> DiscoveredIssuer {
        try await onDiscover()
    }
    func register(
        redirectURI: String, forDevices: Bool, at issuer: IssuerMetadata
    ) async throws(IssuerError) -> ClientRegistration { try await onRegister(forDevices) }
    func authorizeDevice(
        _ request: DeviceRequest, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async throws(IssuerError) -> any DeviceAttempt { try await onDevice(request, client) }
    func authorize(
        _ request: AuthorizationRequest, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async throws(IssuerError) -> any AuthorizationAttempt { try await onAuthorize(request, client) }
    func refresh(
        _ refreshToken: any Secret, _ request: RefreshRequest, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async -> TokenAnswer {
        onClient(client)
        return await onRefresh(text(refreshToken), request)
    }
    func judge(
        renewal grant: TokenGrant, of identity: Identity, as client: ClientRegistration, at issuer: IssuerMetadata,
        _ extras: IssuerExtras
    ) async throws(IssuerError) -> RenewalJudgement { try await onJudge(grant, issuer) }
    func unregister(_ client: ClientRegistration) async throws(IssuerError) { try await onUnregister(client) }
    func userInfo(_ accessToken: any Secret, at issuer: IssuerMetadata) async throws(IssuerError) -> UserProfile {
        try await onUserInfo(text(accessToken))
    }
    func revoke(
        _ token: any Secret, _ kind: RevocableToken, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async throws(IssuerError) { try await onRevoke(text(token), kind) }
}

func text(_ secret: any Secret) -> String { secret.withBytes { String(decoding: $0, as: UTF8.self) } }
