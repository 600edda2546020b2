import Basics
import Foundation
@testable import SessionModel
import Synchronization
import Testing

@testable import Sessions

/// ID tokens that are handed out, and renewed where their issuer does that.
struct IDTokenTests {
    let time = TokenKeeperTests.Time()
    let store = MemorySessions()

    /// One that lives for `seconds` from now, by an issuer's clock that is some minutes ahead.
    private func jwt(_ name: String, lasting seconds: Double = 300) -> MemorySecret {
        let now = time.clock.now().timeIntervalSince1970 + 240
        let claims = #"{"sub":"mira","name":"\#(name)?>","iat":\#(now),"exp":\#(now + seconds)}"#
        let payload = Data(claims.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
        return MemorySecret("e30.\(payload).\(name)")
    }

    private func grant(_ number: Int, _ idToken: MemorySecret?) -> TokenGrant {
        TokenGrant(
            accessToken: MemorySecret("a\(number)"), type: .bearer, lifetime: 3600,
            refreshToken: MemorySecret("r\(number)"), idToken: idToken)
    }

    private func session(_ first: TokenGrant, of person: String? = "mira") throws -> SignIn {
        let issuer = try #require(Issuer("https://fern.example"))
        let scopes = try #require(Scopes("openid"))
        let session = SignIn(
            id: SessionID("1"), name: try #require(SessionName("fern")),
            issuer: IssuerMetadata(
                issuer: issuer, authorizationEndpoint: issuer.address, tokenEndpoint: issuer.address, fetchedAt: Date()),
            client: ClientRegistration(id: BankText("c")), asked: scopes, granted: scopes, resources: [],
            identity: person.map { Identity(subject: BankText($0)) }, at: Date())
        return try store.add(session, with: TokenSet(first, scopes: scopes, at: Moment(time.clock)))
    }

    /// Keeps tokens of an issuer that answers each renewal with the next of these.
    private final class Renewals: Sendable {
        let answers: Mutex<[TokenAnswer]>
        let count = Mutex(0)

        init(_ answers: [TokenAnswer]) { self.answers = Mutex(answers) }

        func next() -> TokenAnswer {
            count.withLock { $0 += 1 }
            return answers.withLock { answers in
                guard !answers.isEmpty else {
                    Issue.record("no renewal was expected")
                    return .notSent(reason: "unprovided")
                }
                return answers.removeFirst()
            }
        }
    }

    /// A session of nobody keeps no ID token that a renewal brings: nothing judges it.
    @Test(arguments: [(nil, false), ("mira", true)] as [(String?, Bool)])
    func aRenewalsIDTokenIsKeptWhereSomebodyIsNamed(person: String?, isKept: Bool) async throws {
        let session = try session(grant(1, nil), of: person)
        time.pass(4000)
        let keeper = keeper(Renewals([.granted(grant(2, jwt("second")))]))
        #expect(text(try await keeper.token(of: session, lasting: 60).token.secret) == "a2")
        let tokens = try #require(try store.tokens(of: session.id))
        #expect((tokens.idToken != nil, tokens.idState != nil) == (isKept, isKept))
    }

    private func keeper(_ renewals: Renewals) -> TokenKeeper {
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { _, _ in renewals.next() }
        return keeper(issuer)
    }

    private func keeper(_ issuer: ScriptedIssuer) -> TokenKeeper {
        TokenKeeper(service: issuer, store: store, clock: time.clock, signOutClock: .never, makeID: { "1" })
    }

    private func name(_ token: TokenKeeper.IDToken) -> String {
        token.token.secret.withBytes { String(decoding: $0, as: UTF8.self) }.split(separator: ".").last.map(String.init)
            ?? ""
    }

    private func failure(_ body: () async throws -> TokenKeeper.IDToken) async -> Failure? {
        do {
            _ = try await body()
            return nil
        } catch { return (error as? any PresentableError)?.failure }
    }

    @Test func itIsGivenWhileItLastsAndRenewedThen() async throws {
        let fern = try session(grant(1, jwt("one")))
        let renewals = Renewals([.granted(grant(2, jwt("two", lasting: 400)))])
        let keeper = keeper(renewals)
        let first = try await keeper.idToken(of: fern, lasting: 60)
        // By when it came: the issuer's clock goes wrong.
        #expect(name(first) == "one" && first.secondsLeft == 290)
        time.pass(229)
        #expect(name(try await keeper.idToken(of: fern, lasting: 60)) == "one")
        #expect(renewals.count.withLock { $0 } == 0)
        time.pass(3)
        #expect(name(try await keeper.idToken(of: fern, lasting: 60)) == "two")
        #expect(renewals.count.withLock { $0 } == 1)
    }

    /// A renewal that brings none would end access tokens that others have.
    @Test func anIssuerThatRenewsNoneIsAskedOnce() async throws {
        let fern = try session(grant(1, jwt("one")))
        let renewals = Renewals([.granted(grant(2, nil))])
        let keeper = keeper(renewals)
        time.pass(250)
        // It is good for a while.
        #expect(name(try await keeper.idToken(of: fern, lasting: 60)) == "one")
        time.pass(60)
        for _ in 1...3 {
            let told = await failure { try await keeper.idToken(of: fern, lasting: 60) }
            #expect(told?.kind == .signedOut && told?.hint == "countersign login fern")
        }
        #expect(renewals.count.withLock { $0 } == 1)
    }

    @Test func aSessionWithoutOneSaysSo() async throws {
        let fern = try session(grant(1, nil))
        let told = await failure { try await keeper(Renewals([])).idToken(of: fern, lasting: 60) }
        #expect(told?.kind == .refused && told?.hint == "sign in with a browser: countersign login fern")
    }

    @Test(arguments: ["x", "a.b", "a.!.c", "a.e30.c", "a.eyJleHAiOiJzb29uIn0.c"]) func whatIsNoneIsNotGiven(
        _ text: String
    ) async throws {
        let fern = try session(grant(1, MemorySecret(text)))
        #expect(await failure { try await keeper(Renewals([])).idToken(of: fern, lasting: 60) }?.kind == .refused)
    }

    @Test func aRejectedOneIsRenewedOnce() async throws {
        let fern = try session(grant(1, jwt("one")))
        let renewals = Renewals([.granted(grant(2, jwt("two"))), .granted(grant(3, jwt("three")))])
        let keeper = keeper(renewals)
        func reject(_ wanted: String) async throws -> TokenKeeper.IDToken {
            let rejected = RejectedToken { secret in
                secret.withBytes { String(decoding: $0, as: UTF8.self).hasSuffix("." + wanted) }
            }
            return try await keeper.idToken(of: fern, lasting: 60, rejected: rejected)
        }
        #expect(name(try await reject("one")) == "two")
        // Who had the old one gets the new one.
        #expect(name(try await reject("one")) == "two")
        #expect(await failure { try await reject("two") }?.message.contains("does not accept fresh tokens") == true)
        #expect(renewals.count.withLock { $0 } == 1)
        // After five minutes it is tried again.
        time.pass(301)
        #expect(name(try await reject("two")) == "three")
    }

    @Test(arguments: [EndReason.rejected, .interrupted, .changed, .signedOut, .timeOver, .left])
    func anEndedSessionGivesWhatIsGoodUnlessItIsAnothers(_ reason: EndReason) async throws {
        let fern = try session(grant(1, jwt("one")))
        let tokens = try #require(try store.tokens(of: fern.id)).ended(reason)
        try store.write(tokens, of: fern.id)
        let isGiven = reason == .rejected || reason == .interrupted
        let keeper = keeper(Renewals([]))
        #expect((await failure { try await keeper.idToken(of: fern, lasting: 60) } == nil) == isGiven)
        time.pass(400)
        #expect(await failure { try await keeper.idToken(of: fern, lasting: 60) }?.kind == .signedOut)
    }

    @Test func aRenewalThatFailsLeavesWhatIsGood() async throws {
        let fern = try session(grant(1, jwt("one")))
        let keeper = keeper(Renewals([.notSent(reason: "away"), .notSent(reason: "away")]))
        time.pass(250)
        #expect(name(try await keeper.idToken(of: fern, lasting: 60)) == "one")
        time.pass(50)
        #expect(await failure { try await keeper.idToken(of: fern, lasting: 60) }?.kind == .unreachable)
    }

    @Test func nothingIsGivenOnceTheTimeOfTheSessionIsOver() async throws {
        let fern = try session(grant(1, jwt("one", lasting: 3600)))
        _ = try store.update(fern.id) { session, _ in
            session.order(.after(seconds: 100), keep: nil, at: Moment(time.clock))
        }
        let timed = try #require(try store.sessions().first)
        let keeper = keeper(Renewals([]))
        time.pass(99)
        #expect(name(try await keeper.idToken(of: timed, lasting: 60)) == "one")
        time.pass(1)
        #expect(await failure { try await keeper.idToken(of: timed, lasting: 60) }?.kind == .signedOut)
    }

    /// Not even what was good when the renewal began.
    @Test(arguments: [true, false]) func aRenewalDoesNotUndoThatThePersonSignedOut(_ isGranted: Bool) async throws {
        let fern = try session(grant(1, jwt("one")))
        time.pass(250)
        let (newer, store) = (jwt("two"), store)
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { _, _ in
            _ = try? store.end(fern.id) { _, tokens in (tokens.wiped(.timeOver), owing: [], noting: try .sample()) }
            return isGranted ? .granted(grant(2, newer)) : .rejected(Rejection(.grant))
        }
        #expect(await failure { try await keeper(issuer).idToken(of: fern, lasting: 60) }?.kind == .signedOut)
        let left = try #require(try store.tokens(of: fern.id))
        #expect(left.end == .timeOver && left.idToken == nil && left.all.isEmpty)
    }

    // MARK: Grants

    @Test(arguments: [
        ([TokenKind.access], TokenKind.access, true), ([.access], .id, false), ([.id], .id, true),
        ([.id], .access, false),
        ([.access, .id], .id, true), ([.access, .id], .access, true),
    ]) func aGrantGivesWhatItNames(_ kinds: [TokenKind], _ wanted: TokenKind, _ isGiven: Bool) throws {
        let fern = try session(grant(1, jwt("one")))
        let program = try #require(Program("unit:backup.service"))
        let grant = ProgramGrant(
            id: "1", program: program, session: fern.id, scopes: fern.granted, resources: [], kinds: kinds, use: .open,
            at: Date())
        let verdict = try HandOutRules([grant], .atHand, at: Date()).verdict(
            on: .program(program), wanting: .whole, wanted, of: fern)
        #expect(verdict == (isGiven ? .yes(.whole, by: grant) : .needsGrant))
    }

    @Test func anEarlierRowIsForAccessTokens() throws {
        let fern = try session(grant(1, nil))
        let grant = ProgramGrant(
            id: "1", program: try #require(Program("unit:backup.service")), session: fern.id, scopes: fern.granted,
            resources: [], use: .open, at: Date())
        let encoded = try #require(
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(grant)) as? [String: Any])
        let earlier = try JSONSerialization.data(withJSONObject: encoded.filter { $0.key != "ownKinds" })
        #expect(encoded.keys.contains("ownKinds"))
        #expect(try JSONDecoder().decode(ProgramGrant.self, from: earlier).kinds == [.access])
    }

    @Test(arguments: [
        #"{"kind":"refresh"}"#, #"{"kind":"id","scopes":["a"]}"#, #"{"kind":"id","resources":["https://a.example"]}"#,
    ])
    func whatIsNoIDTokenIsRefused(_ members: String) {
        #expect(throws: Failure.self) { try JSONDecoder().decode(TokenRequest.self, from: Data(members.utf8)) }
    }
}
