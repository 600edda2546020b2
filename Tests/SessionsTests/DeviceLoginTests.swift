import Basics
import FoundationEssentials
@testable import SessionModel
import Synchronization
import Testing

@testable import Sessions

/// The device flow, with a clock that sleeping moves and an issuer whose answers a test writes down.
struct DeviceLoginTests {
    private let time = TokenKeeperTests.Time()
    private let store = MemorySessions()

    private struct Attempt: DeviceAttempt {
        let code: DeviceCode
        let answer: @Sendable () -> DeviceAnswer
        var person: Identity? = Identity(subject: BankText("mira"))
        func poll() async -> DeviceAnswer { answer() }
        func identity(in grant: TokenGrant) async throws(IssuerError) -> Identity? { person }
    }

    private func metadata(_ hasDevices: Bool = true) throws -> IssuerMetadata {
        let issuer = try #require(Issuer("https://fern.example"))
        var metadata = IssuerMetadata(
            issuer: issuer, authorizationEndpoint: issuer.address, tokenEndpoint: issuer.address, fetchedAt: Date())
        metadata.registrationEndpoint = issuer.address
        if hasDevices { metadata.deviceAuthorizationEndpoint = issuer.address }
        return metadata
    }

    private func issuer(
        _ answers: [DeviceAnswer], polls: @escaping @Sendable (Int64) -> Void = { _ in }, lifetime: Int64 = 600
    ) throws -> ScriptedIssuer {
        var issuer = ScriptedIssuer()
        let found = DiscoveredIssuer(try metadata())
        issuer.onDiscover = { () async throws(IssuerError) in found }
        issuer.onRegister = { forDevices async throws(IssuerError) in
            #expect(forDevices)
            var client = ClientRegistration(id: BankText("c"), isRegisteredHere: true)
            client.isForDevices = forDevices
            return client
        }
        let rest = Rest(answers)
        let page = found.metadata.issuer.address
        issuer.onDevice = { [time] request, client async throws(IssuerError) in
            #expect(client.isForDevices && request.scopes == Scopes("openid"))
            return Attempt(
                code: DeviceCode(
                    text: BankText("ABCD"), page: page, wholePage: nil, lifetime: lifetime, interval: 5)
            ) {
                polls(time.seconds.withLock { $0 } - 1000)
                return rest.next()
            }
        }
        return issuer
    }

    /// Answers, one after the other; the last again and again.
    private final class Rest: Sendable {
        private let answers: Mutex<[DeviceAnswer]>
        init(_ answers: [DeviceAnswer]) { self.answers = Mutex(answers) }
        func next() -> DeviceAnswer { answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
    }

    private func login(_ issuer: ScriptedIssuer) throws -> Login {
        var wish = LoginWish(.address(try WebAddress("https://fern.example")))
        wish.scopes = Scopes("openid")
        wish.isForDevice = true
        return Login(wish, service: issuer, store: store, clock: time.clock, makeID: { "1" })
    }

    private func run(_ issuer: ScriptedIssuer, minutes: Int64 = 10) async throws -> SignIn {
        let login = try login(issuer)
        _ = try await login.begin()
        #expect(try await login.acceptDevice().text == BankText("ABCD"))
        return try await login.awaitDevice(.seconds(60 * minutes)).0
    }

    private func rejected(_ kind: Rejection.Kind) -> DeviceAnswer { .rejected(Rejection(kind)) }

    /// Polls come no faster than the issuer said, slower once it asked for that or could not be reached, and never before the first pause.
    @Test func whenPollsAreMade() async throws {
        let polls = Mutex<[Int64]>([])
        let answers: [DeviceAnswer] = [
            .pending, .slowDown, .pending, .later(retryAfter: nil), .later(retryAfter: 90), .noAnswer,
            .granted(TokenKeeperTests.grant(1)),
        ]
        let session = try await run(
            try issuer(answers) { moment in polls.withLock { $0.append(moment) } }, minutes: 20)
        #expect(polls.withLock { $0 } == [5, 10, 20, 30, 50, 140, 230])
        #expect(session.identity?.subject == BankText("mira"))
        #expect(try store.sessions().map(\.name.text) == ["fern"])
        #expect(text(try #require(try store.tokens(of: session.id)?.refreshToken).secret) == "r1")
    }

    @Test(arguments: [
        (["denied"], "refused"), (["expired"], "cancelled"), (["pending", "grant"], "refused"),
        // It takes a code once, and the answer to that was lost.
        (["lost", "denied"], "unknown"), (["lost", "expired"], "cancelled"),
    ])
    func aDefiniteNoEndsTheLogin(_ row: (answers: [String], kind: String)) async throws {
        let answers = row.answers.map { word -> DeviceAnswer in
            switch word {
            case "denied": rejected(.denied)
            case "grant": rejected(.grant)
            case "expired": .expired
            case "lost": .noAnswer
            default: .pending
            }
        }
        let issuer = try issuer(answers)
        let error = await #expect(throws: SessionError.self) { _ = try await run(issuer) }
        #expect(error?.failure.kind.rawValue == row.kind)
        #expect(try store.sessions().isEmpty)
    }

    @Test func theWaitEndsWithTheCodeAndWithThePerson() async throws {
        for (lifetime, minutes, words) in [(120, 10, "not entered in time"), (900, 2, "wait")]
            as [(Int64, Int64, String)]
        {
            let before = time.seconds.withLock { $0 }
            let issuer = try issuer([.pending], lifetime: lifetime)
            let error = await #expect(throws: SessionError.self) { _ = try await run(issuer, minutes: minutes) }
            #expect(error?.failure.kind == .cancelled && error?.failure.message.contains(words) == true)
            #expect(time.seconds.withLock { $0 } - before == 120)
        }
    }

    @Test func anIssuerWithoutADeviceFlow() async throws {
        var issuer = ScriptedIssuer()
        let found = DiscoveredIssuer(try metadata(false))
        issuer.onDiscover = { () async throws(IssuerError) in found }
        let login = try login(issuer)
        let error = await #expect(throws: SessionError.self) { _ = try await login.begin() }
        #expect(error?.failure.kind == .refused && error?.failure.hint?.contains("--callback paste") == true)
    }

    /// A registration that does not name the device flow cannot be used in it.
    @Test func aRegistrationForTheBrowserIsNotUsed() async throws {
        var client = ClientRegistration(
            id: BankText("old"), redirectURI: "http://127.0.0.1:1/callback", isRegisteredHere: true)
        client.isForDevices = false
        let session = SignIn(
            id: SessionID("0"), name: try #require(SessionName("oak")), issuer: try metadata(), client: client,
            asked: .none, granted: .none, resources: [], identity: nil, at: Date())
        _ = try store.add(
            session, with: TokenSet(TokenKeeperTests.grant(0), scopes: .none, at: Moment(time.clock)))
        let made = try await run(try issuer([.granted(TokenKeeperTests.grant(1))]))
        #expect(made.client.id == BankText("c") && made.client.isForDevices)
    }

    /// A poll is a call to the token endpoint like others: a registration that the issuer does not know is dropped.
    @Test func aForgottenRegistrationIsDropped() async throws {
        var client = ClientRegistration(id: BankText("old"), isRegisteredHere: true)
        client.isForDevices = true
        let session = SignIn(
            id: SessionID("0"), name: try #require(SessionName("oak")), issuer: try metadata(), client: client,
            asked: .none, granted: .none, resources: [], identity: nil, at: Date())
        _ = try store.add(
            session, with: TokenSet(TokenKeeperTests.grant(0), scopes: .none, at: Moment(time.clock)))
        let issuer = try issuer([.pending, rejected(.client)])
        let error = await #expect(throws: SessionError.self) { _ = try await run(issuer) }
        #expect(error?.failure.exitCode == 5 && error?.failure.message.contains("the client old") == true)
        #expect(try store.tokens(of: session.id)?.isClientInDoubt == true)
    }
}
