package import Basics
package import Keys
import SessionModel
internal import Synchronization

/// One login, step by step. An error of any step but `begin` ends it; then call `abandon`.
package protocol LoginSteps: Sendable {
    /// Finds the issuer and returns the terms that the person must agree to. Nothing is made yet.
    func begin() async throws -> LoginOfferPayload
    /// The person agreed. Returns the page where they sign in, which leads the browser to `returnURL`.
    func accept(returnURL: String) async throws -> WebAddress
    /// The person agreed. Returns the code that they enter on a page of the issuer, at most this long from now.
    func acceptDevice(within patience: Duration) async throws -> DeviceCodePayload
    /// Judges an address that the browser was led to. Nil if it does not belong to this login; then the wait goes on.
    func take(_ address: String) async throws -> SignedInPayload?
    /// Waits until the code was entered, after `acceptDevice`.
    func awaitDevice() async throws -> SignedInPayload
    /// Ends the login if it has made no session, so that nothing is left of it.
    func abandon() async
}

/// A login that this process carries out.
package final class LocalLogin: LoginSteps {
    private let login: Login
    private let sessions: LocalSessions
    private let patience = Mutex(Duration.zero)

    init(_ login: Login, _ sessions: LocalSessions) {
        self.login = login
        self.sessions = sessions
    }

    package func begin() async throws -> LoginOfferPayload { LoginOfferPayload(try await login.begin()) }

    package func accept(returnURL: String) async throws -> WebAddress { try await login.accept(redirectURI: returnURL) }

    package func acceptDevice(within patience: Duration) async throws -> DeviceCodePayload {
        self.patience.withLock { $0 = patience }
        return DeviceCodePayload(try await login.acceptDevice())
    }

    package func take(_ address: String) async throws -> SignedInPayload? {
        switch try await login.take(address) {
        case .notOurs: nil
        case .signedIn(let session, let news): try await signedIn(session, news)
        }
    }

    package func awaitDevice() async throws -> SignedInPayload {
        let (session, news) = try await login.awaitDevice(patience.withLock { $0 })
        return try await signedIn(session, news)
    }

    private func signedIn(_ session: SignIn, _ news: ProfileNews) async throws -> SignedInPayload {
        let namedBy = await login.namedBy
        // A service that has a site already needs no other one.
        let isBound = try sessions.store.sites().contains { $0.rule.text == namedBy?.text }
        return SignedInPayload(
            try sessions.payload(session), news, askedFor: session.asked,
            renewalOptions: session.renewalOptions(after: login.wish.prompts), namedBy: isBound ? nil : namedBy)
    }

    package func abandon() async { await login.abandon() }
}

extension LocalSessions {
    /// - Parameters:
    ///   - secret: of the client that the request or its profile names.
    ///   - permit: without it nothing is stored.
    package func login(
        _ request: LoginRequest, secret: SecretSlot?, permit: LoginPermit = LoginPermit()
    ) throws -> LocalLogin {
        var profile: IssuerProfile?
        if case .profile(let text) = request.origin { profile = try readProfile(text) }
        let wish = try request.wish(profile, secret: secret, among: try store.sessions())
        return LocalLogin(
            Login(
                wish, service: service, store: store, clock: clock, permit: permit, makeID: makeID,
                requester: requester), self)
    }
}
