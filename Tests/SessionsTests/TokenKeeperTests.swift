import Basics
import FoundationEssentials
import Keys
@testable import SessionModel
import Synchronization
import Testing

@testable import Sessions

/// What is written when a token is renewed, and what is handed out (oauth sections 7.2 to 7.5).
struct TokenKeeperTests {
    /// A clock that a test moves; sleeping moves it on.
    final class Time: Sendable {
        let seconds = Mutex<Int64>(1000)
        let start = ContinuousClock.now
        var clock: Clock {
            Clock(
                now: { Date(timeIntervalSince1970: 1_000_000 + Double(self.seconds.withLock { $0 })) },
                boot: { BootTime(bootID: "boot", seconds: self.seconds.withLock { $0 }) },
                moment: { self.start + .seconds(self.seconds.withLock { $0 }) },
                sleepUntil: { until in
                    let left = until - (self.start + .seconds(self.seconds.withLock { $0 }))
                    self.pass(max(1, left.components.seconds))
                })
        }
        func pass(_ seconds: Int64) { self.seconds.withLock { $0 += seconds } }
    }

    let time = Time()
    let store = MemorySessions()

    static func grant(_ number: Int, lifetime: Int64? = 300, idToken: Bool = false, refresh: Bool = true) -> TokenGrant
    {
        TokenGrant(
            accessToken: MemorySecret("a\(number)"), type: .bearer, lifetime: lifetime,
            refreshToken: refresh ? MemorySecret("r\(number)") : nil,
            idToken: idToken ? MemorySecret("i\(number)") : nil)
    }

    private func session(lifetime: Int64? = 300, refresh: Bool = true) throws -> SignIn {
        let issuer = try #require(Issuer("https://fern.example"))
        let metadata = IssuerMetadata(
            issuer: issuer, authorizationEndpoint: issuer.address, tokenEndpoint: issuer.address, fetchedAt: Date())
        let session = SignIn(
            id: SessionID("1"), name: SessionName(suggestedBy: issuer), issuer: metadata,
            client: ClientRegistration(id: BankText("c")), asked: try #require(Scopes("openid mail")),
            granted: try #require(Scopes("openid mail")), resources: [], identity: Identity(subject: BankText("mira")),
            at: Date())
        return try store.add(
            session,
            with: TokenSet(
                Self.grant(1, lifetime: lifetime, refresh: refresh), scopes: session.granted, at: Moment(time.clock)))
    }

    private func keeper(_ issuer: ScriptedIssuer) -> TokenKeeper {
        TokenKeeper(
            service: issuer, store: store, clock: time.clock, signOutClock: .never, makeID: { "1" })
    }

    private func failure<Token>(_ body: () async throws -> Token) async -> Failure? {
        do {
            _ = try await body()
            return nil
        } catch { return (error as? any PresentableError)?.failure }
    }

    @Test func aGoodTokenIsHandedOutWithoutTheIssuer() async throws {
        let session = try session()
        let token = try await keeper(ScriptedIssuer()).token(of: session, lasting: 60)
        #expect(text(token.token.secret) == "a1")
        #expect(store.state.withLock { $0.written.isEmpty })
    }

    /// Mark, send, store, judge, hand out: in this order.
    @Test func theOrderOfARenewal() async throws {
        let session = try session()
        let steps = Mutex<[String]>([])
        store.onWrite.withLock { write in
            write = { set in
                let mark = set.mark.map { " mark \($0.attempt)" } ?? ""
                let judged = set.unjudgedSince == nil ? "" : " unjudged"
                steps.withLock { $0.append("write \(set.generation)\(mark)\(judged)") }
            }
        }
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { token, request in
            steps.withLock { $0.append("send \(token)") }
            #expect(request.scopes == nil)
            return .granted(Self.grant(2, idToken: true))
        }
        issuer.onJudge = { _, _ in
            steps.withLock { $0.append("judge") }
            return .right
        }
        time.pass(300)
        let token = try await keeper(issuer).token(of: session, lasting: 60)
        #expect(text(token.token.secret) == "a2")
        #expect(
            steps.withLock { $0 } == ["write 1 mark 1", "send r1", "write 2 unjudged", "judge", "write 2"])
    }

    @Test func nothingIsSentWhenTheMarkCannotBeWritten() async throws {
        let session = try session()
        time.pass(300)
        store.state.withLock { $0.failures = 1 }
        await #expect(throws: StoreError.unusable("the disk is full")) {
            try await keeper(ScriptedIssuer()).token(of: session, lasting: 60)
        }
        #expect(store.state.withLock { $0.tokens[session.id]?.mark } == nil)
    }

    /// The disk is full when the answer is there: it is tried three times before anybody hears of it.
    @Test func anAnswerThatCannotBeStoredIsTriedAgain() async throws {
        let session = try session()
        time.pass(300)
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { [store] _, _ in
            store.state.withLock { $0.failures = 2 }
            return .granted(Self.grant(2))
        }
        #expect(text(try await keeper(issuer).token(of: session, lasting: 60).token.secret) == "a2")
        #expect(store.state.withLock { $0.tokens[session.id]?.generation } == 2)
    }

    /// The same token, three times more within thirty seconds; the old access token while it is good, and else `unknown`.
    @Test func aLostAnswerIsAskedForAgain() async throws {
        let session = try session()
        time.pass(250)
        let sent = Mutex<[Int64]>([])
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { [time] token, _ in
            #expect(token == "r1")
            sent.withLock { $0.append(time.seconds.withLock { $0 } - 1250) }
            return .noAnswer(reason: "cut")
        }
        // Forty seconds are left of the old one when it begins.
        #expect(text(try await keeper(issuer).token(of: session, lasting: 60).token.secret) == "a1")
        #expect(sent.withLock { $0 } == [0, 0, 5, 17])
        time.pass(300)
        let told = await failure { try await keeper(issuer).token(of: session, lasting: 60) }
        #expect(told?.kind == .unknown)
        #expect(store.state.withLock { $0.tokens[session.id]?.mark?.attempt } == 5)
        #expect(store.state.withLock { $0.tokens[session.id]?.end } == nil)
    }

    @Test func aRestThatTheIssuerAskedForIsKept() async throws {
        let session = try session()
        time.pass(400)
        let sent = Mutex(0)
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { _, _ in
            sent.withLock { $0 += 1 }
            return .later(reason: "busy", retryAfter: 120)
        }
        for _ in 1...3 {
            let told = await failure { try await keeper(issuer).token(of: session, lasting: 60) }
            #expect(told?.kind == .unreachable)
        }
        #expect(sent.withLock { $0 } == 1)
        time.pass(121)
        _ = await failure { try await keeper(issuer).token(of: session, lasting: 60) }
        #expect(sent.withLock { $0 } == 2)
    }

    /// Another process renewed it while this one waited for its turn.
    @Test func whoWaitedTakesWhatTheOtherBrought() async throws {
        let session = try session()
        time.pass(300)
        store.state.withLock { $0.isHeld = true }
        let clock = Clock(
            now: time.clock.now, boot: time.clock.boot, moment: time.clock.moment,
            sleepUntil: { [store, time] _ in
                time.pass(1)
                store.state.withLock { state in
                    state.tokens[session.id] = TokenSet(Self.grant(2), scopes: session.granted, at: Moment(time.clock))
                    state.isHeld = false
                }
            })
        let keeper = TokenKeeper(
            service: ScriptedIssuer(), store: store, clock: clock, signOutClock: .never, makeID: { "1" })
        #expect(text(try await keeper.token(of: session, lasting: 60).token.secret) == "a2")
    }

    @Test func aTurnIsWaitedForFor45Seconds() async throws {
        let session = try session()
        time.pass(300)
        store.state.withLock { $0.isHeld = true }
        let told = await failure { try await keeper(ScriptedIssuer()).token(of: session, lasting: 60) }
        #expect(told?.kind == .unreachable)
        #expect(told?.message.contains("process 4711") == true)
        #expect((1345...1347).contains(time.seconds.withLock { $0 }))
    }

    @Test func aShortLivedTokenIsNotRenewedAtEachUse() async throws {
        let session = try session(lifetime: 50)
        #expect(text(try await keeper(ScriptedIssuer()).token(of: session, lasting: nil).token.secret) == "a1")
        time.pass(19)
        #expect(text(try await keeper(ScriptedIssuer()).token(of: session, lasting: nil).token.secret) == "a1")
        time.pass(2)
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { _, _ in .granted(Self.grant(2, lifetime: 50)) }
        #expect(text(try await keeper(issuer).token(of: session, lasting: nil).token.secret) == "a2")
    }

    /// What is demanded of a token that can be used for 290 seconds when new.
    @Test(
        arguments: [
            (nil, 60), (0, 0), (60, 60), (145, 145), (146, 146), (200, 200), (290, 290), (291, 261), (3600, 261),
        ] as [(Int64?, Int64)])
    func aDemandIsHonoured(_ demanded: Int64?, _ left: Int64) {
        #expect(AccessToken.leastLife(demanded, ofNew: 290) == left)
    }

    @Test func aDemandOfMoreThanHalfALifeRenews() async throws {
        let session = try session()
        time.pass(100)
        #expect(text(try await keeper(ScriptedIssuer()).token(of: session, lasting: 190).token.secret) == "a1")
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { _, _ in .granted(Self.grant(2)) }
        #expect(text(try await keeper(issuer).token(of: session, lasting: 191).token.secret) == "a2")
    }

    /// Whoever's token a service rejected gets another one; whoever comes after it gets that.
    @Test func aRejectedTokenIsRenewedOnce() async throws {
        let session = try session()
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { _, _ in .granted(Self.grant(2)) }
        time.pass(60)
        #expect(text(try await keeper(issuer).token(of: session, lasting: 60, rejected: .newest).token.secret) == "a2")
        // A program that does not name its token has the one before it.
        #expect(
            text(try await keeper(ScriptedIssuer()).token(of: session, lasting: 60, rejected: .newest).token.secret)
                == "a2")
        time.pass(60)
        // Another process was faster.
        store.state.withLock { $0.isHeld = true }
        let clock = Clock(
            now: time.clock.now, boot: time.clock.boot, moment: time.clock.moment,
            sleepUntil: { [store, time] _ in
                time.pass(1)
                store.state.withLock { state in
                    state.tokens[session.id] = state.tokens[session.id]?.renewed(
                        by: Self.grant(3), for: .whole, scopes: session.granted, at: Moment(time.clock))
                    state.isHeld = false
                }
            })
        let other = TokenKeeper(
            service: ScriptedIssuer(), store: store, clock: clock, signOutClock: .never, makeID: { "1" })
        #expect(text(try await other.token(of: session, lasting: 60, rejected: .newest).token.secret) == "a3")
    }

    /// It is not handed out again where no other can be had.
    @Test func aRejectedTokenIsNoReserve() async throws {
        let session = try session()
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { _, _ in .notSent(reason: "no route") }
        let told = await failure {
            try await keeper(issuer).token(of: session, lasting: 60, rejected: Self.named("a1"))
        }
        #expect(told?.kind == .unreachable)
        // To nobody else either.
        #expect(await failure { try await keeper(issuer).token(of: session, lasting: 0) }?.kind == .unreachable)
    }

    private static func named(_ name: String) -> RejectedToken { RejectedToken { SessionsTests.text($0) == name } }

    /// One renewal; then the service is told to take no token at all, until five minutes have passed.
    @Test func aServiceThatTakesNoToken() async throws {
        let session = try session(lifetime: 3600)
        let sent = Mutex(1)
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { _, _ in
            .granted(
                Self.grant(
                    sent.withLock {
                        $0 += 1
                        return $0
                    }, lifetime: 3600))
        }
        let keeper = keeper(issuer)
        func ask(_ rejected: String) async throws -> AccessToken {
            try await keeper.token(of: session, lasting: 60, rejected: Self.named(rejected))
        }
        #expect(text(try await ask("a1").token.secret) == "a2")
        // One that was replaced already renews nothing.
        #expect(text(try await ask("a1").token.secret) == "a2")
        time.pass(59)
        #expect(await failure { try await ask("a2") }?.kind == .refused)
        #expect(text(try await keeper.token(of: session, lasting: 60).token.secret) == "a2")
        time.pass(299)
        #expect(await failure { try await ask("a2") }?.kind == .refused)
        #expect(sent.withLock { $0 } == 2)
        time.pass(1)
        #expect(text(try await ask("a2").token.secret) == "a3")
        time.pass(60)
        // It was good for a while, so the next one may be, too.
        #expect(text(try await ask("a3").token.secret) == "a4")
    }

    @Test func aTokenIsRejectedByItsNameAlone() async throws {
        let session = try session()
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { _, _ in .granted(Self.grant(2)) }
        func token(_ issuer: ScriptedIssuer, rejected: String?) async throws -> String {
            let rejected = rejected.map(Self.named)
            return text(
                try await keeper(issuer).token(of: session, lasting: 0, rejected: rejected).token.secret)
        }
        #expect(try await token(ScriptedIssuer(), rejected: "other") == "a1")
        #expect(try await token(issuer, rejected: "a1") == "a2")
        #expect(try await token(ScriptedIssuer(), rejected: nil) == "a2")
        #expect(try await token(ScriptedIssuer(), rejected: "a1") == "a2")
    }

    /// One whose issuer said no end is good until it is rejected.
    @Test func aRejectedTokenThatCannotBeRenewedIsGone() async throws {
        let session = try session(lifetime: nil, refresh: false)
        let told = await failure {
            try await keeper(ScriptedIssuer()).token(of: session, lasting: 60, rejected: Self.named("a1"))
        }
        #expect(told?.kind == .signedOut)
        #expect(
            await failure { try await keeper(ScriptedIssuer()).token(of: session, lasting: 0) }?.kind == .signedOut)
        let payload = SessionPayload(session, try store.tokens(of: session.id), by: .never, at: Moment(time.clock))
        #expect(payload.reason == .ranOut)
    }

    /// Its answer is filed under what was asked for then; what is asked for now comes after it.
    @Test func anInterruptedRenewalForSomethingElseIsCompletedFirst() async throws {
        let session = try session()
        let mail = TokenAim(scopes: Scopes("mail"))
        time.pass(300)
        store.state.withLock {
            $0.tokens[session.id]?.mark = RenewalMark(generation: 1, for: mail, at: Moment(time.clock))
        }
        let asked = Mutex<[String]>([])
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { token, request in
            asked.withLock { $0.append("\(token) \(request.scopes?.text ?? "-")") }
            return .granted(Self.grant(asked.withLock(\.count) + 1))
        }
        let token = try await keeper(issuer).token(of: session, lasting: 60)
        #expect(text(token.token.secret) == "a3" && token.aim == .whole)
        #expect(asked.withLock { $0 } == ["r1 mail", "r2 mail openid"])
        let kept = store.state.withLock { $0.tokens[session.id] }
        #expect(
            kept?.access.map { "\(text($0.token.secret)) \($0.aim == mail)" } == ["a3 false", "a2 true"])
    }

    /// Otherwise nobody could renew the session again.
    @Test func whatWasRefusedIsNotResentForSomethingElse() async throws {
        let session = try session()
        time.pass(300)
        let mail = TokenAim(scopes: Scopes("mail"))
        store.state.withLock {
            $0.tokens[session.id]?.mark = RenewalMark(generation: 1, for: mail, at: Moment(time.clock))
        }
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { _, request in
            request.scopes == nil ? .granted(Self.grant(2)) : .rejected(Rejection(.scope))
        }
        let told = await failure { try await keeper(issuer).token(of: session, lasting: 60) }
        #expect(told?.kind == .refused)
        #expect(text(try await keeper(issuer).token(of: session, lasting: 60).token.secret) == "a2")
    }

    /// A rest that was asked for is kept, whichever attempt heard of it; and the mark stays.
    @Test func aRestAfterALostAnswerIsKept() async throws {
        let session = try session()
        time.pass(400)
        let sent = Mutex(0)
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { _, _ in
            sent.withLock { $0 += 1 }
            return sent.withLock { $0 } == 1 ? .noAnswer(reason: "cut") : .later(reason: "busy", retryAfter: 120)
        }
        for _ in 1...3 {
            #expect(await failure { try await keeper(issuer).token(of: session, lasting: 60) }?.kind == .unreachable)
        }
        #expect(sent.withLock { $0 } == 2)
        #expect(store.state.withLock { $0.tokens[session.id]?.mark?.attempt } == 2)
    }

    /// A fault of an ID token that says nothing about the person costs neither the session nor the access token.
    @Test func aFaultyIDTokenLeavesTheSession() async throws {
        let session = try session()
        time.pass(300)
        let sent = Mutex<[String]>([])
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { token, _ in
            sent.withLock { $0.append(token) }
            return .granted(Self.grant(sent.withLock(\.count) + 1, idToken: true))
        }
        issuer.onJudge = { grant, _ in
            grant.idToken.map(text) == "i2" ? .faulty(reason: "the ID token cannot be used: it is over") : .right
        }
        #expect(text(try await keeper(issuer).token(of: session, lasting: 60).token.secret) == "a2")
        #expect(text(try await keeper(issuer).token(of: session, lasting: 60).token.secret) == "a2")
        #expect(store.state.withLock { $0.tokens[session.id]?.end } == nil)
        #expect(sent.withLock { $0 } == ["r1"])
        // The ID token of that renewal is gone; there was none before.
        let row = try #require(try store.tokens(of: session.id))
        #expect(row.idToken == nil && row.unjudgedSince == nil && row.refreshToken.map { text($0.secret) } == "r2")
    }

    /// Keys that cannot be had cost no access token either. The ID token is judged once they can.
    @Test func keysThatCannotBeHad() async throws {
        let session = try session()
        time.pass(300)
        let sent = Mutex(0)
        let isAway = Mutex(true)
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { _, _ in
            sent.withLock { $0 += 1 }
            return .granted(Self.grant(2, idToken: true))
        }
        issuer.onJudge = { _, _ async throws(IssuerError) in
            if isAway.withLock({ $0 }) { throw .unreachable(reason: "the issuer's keys cannot be had") }
            return .right
        }
        #expect(text(try await keeper(issuer).token(of: session, lasting: 60).token.secret) == "a2")
        #expect(text(try await keeper(issuer).token(of: session, lasting: 60).token.secret) == "a2")
        let told = await failure { try await keeper(issuer).idToken(of: session, lasting: 0) }
        #expect(told?.kind == .unreachable && told?.message.contains("keys") == true)
        #expect(try store.tokens(of: session.id)?.unjudgedSince != nil)
        isAway.withLock { $0 = false }
        #expect(text(try await keeper(issuer).token(of: session, lasting: 60).token.secret) == "a2")
        let row = try #require(try store.tokens(of: session.id))
        #expect(row.unjudgedSince == nil && row.idToken != nil && sent.withLock { $0 } == 1)
    }

    /// A refresh token that comes with an answer that cannot be used otherwise takes the place of the old one.
    @Test func anAnswerWithARefreshTokenAlone() async throws {
        let session = try session()
        time.pass(300)
        let sent = Mutex<[String]>([])
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { token, _ in
            sent.withLock { $0.append(token) }
            guard sent.withLock(\.count) == 1 else { return .granted(Self.grant(3)) }
            return .unusable(
                UnusableAnswer(reason: "it has no access token", refreshToken: MemorySecret("r9"), isOfIssuer: true))
        }
        let told = await failure { try await keeper(issuer).token(of: session, lasting: 60) }
        #expect(told?.kind == .unknown && told?.message.contains("it has no access token") == true)
        #expect(try status(of: session) == "failing")
        #expect(text(try await keeper(issuer).token(of: session, lasting: 60).token.secret) == "a3")
        #expect(try status(of: session) == "active" && sent.withLock { $0 } == ["r1", "r9"])
    }

    /// What was wrong is said each time, and `sessions` does not call the session active. An answer of the issuer's own is definite.
    @Test(arguments: [(true, 1, 1), (false, 4, 0)])
    func anAnswerThatCannotBeUsed(_ row: (isOfIssuer: Bool, first: Int, second: Int)) async throws {
        let session = try session()
        time.pass(300)
        let sent = Mutex(0)
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { _, _ in
            sent.withLock { $0 += 1 }
            return .unusable(UnusableAnswer(reason: "it is odd", refreshToken: nil, isOfIssuer: row.isOfIssuer))
        }
        for count in [row.first, row.first + row.second] {
            let told = await failure { try await keeper(issuer).token(of: session, lasting: 60) }
            #expect(told?.kind == .unknown && told?.message.contains("it is odd") == true, "\(told?.message ?? "")")
            #expect(try status(of: session) == "failing" && sent.withLock { $0 } == count)
        }
    }

    private func status(of session: SignIn) throws -> String {
        SessionPayload(session, try store.tokens(of: session.id), by: .never, at: Moment(time.clock)).status
    }

    @Test func anIDTokenOfSomebodyElseEndsTheSession() async throws {
        let session = try session()
        time.pass(300)
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { _, _ in .granted(Self.grant(2, idToken: true)) }
        issuer.onJudge = { _, _ in .ofAnother }
        let told = await failure { try await keeper(issuer).token(of: session, lasting: 60) }
        #expect(told?.kind == .signedOut)
        #expect(store.state.withLock { $0.tokens[session.id]?.end } == .changed)
    }

    /// Before an ID token is called faulty, the issuer is asked for its keys anew; nothing else of its metadata is taken.
    @Test func newKeysOfAnIssuerAreFound() async throws {
        let session = try session()
        time.pass(300)
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { _, _ in .granted(Self.grant(2, idToken: true)) }
        let keys = try WebAddress("https://fern.example/new-keys")
        issuer.onDiscover = { () async throws(IssuerError) in
            var metadata = session.issuer
            metadata.keys = keys
            metadata.revocationEndpoint = keys
            return DiscoveredIssuer(metadata)
        }
        issuer.onJudge = { _, issuer in issuer.keys == keys ? .right : .faulty(reason: "its key is not known") }
        #expect(text(try await keeper(issuer).token(of: session, lasting: 60).token.secret) == "a2")
        let kept = try #require(try store.sessions().first)
        #expect(kept.issuer.keys == keys && kept.issuer.revocationEndpoint == nil)
    }

    /// After a signal nothing more is sent: the mark tells the next use what happened.
    @Test(arguments: [1, 3]) func aSignalEndsTheResends(attempt: Int) async throws {
        let session = try session()
        time.pass(300)
        let sent = Mutex(0)
        let held = Mutex<[Bool]>([])
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { _, _ in
            #expect(held.withLock(\.last) == true)
            sent.withLock { $0 += 1 }
            return .noAnswer(reason: "cut")
        }
        let keeper = TokenKeeper(
            service: issuer, store: store, clock: time.clock, signOutClock: .never, makeID: { "1" },
            interrupts: Interrupts(
                hold: { hold in held.withLock { $0.append(hold) } },
                isPending: { sent.withLock { $0 } >= attempt }))
        let told = await failure { try await keeper.token(of: session, lasting: 60) }
        #expect(told?.kind == .cancelled)
        #expect(sent.withLock { $0 } == attempt && held.withLock(\.last) == false)
        #expect(store.state.withLock { $0.tokens[session.id]?.mark?.attempt } == attempt)
    }

    /// The new tokens are nowhere else: they are written as soon as they can be, or given up when the person says so.
    @Test(arguments: [false, true]) func anAnswerThatCannotBeStoredForLong(isInterrupted: Bool) async throws {
        let session = try session()
        time.pass(300)
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { [store] _, _ in
            store.state.withLock { $0.failures = 40 }
            return .granted(Self.grant(2))
        }
        let told = Mutex(0)
        let keeper = TokenKeeper(
            service: issuer, store: store, clock: time.clock, signOutClock: .never, makeID: { "1" },
            interrupts: Interrupts(hold: { _ in }, isPending: { isInterrupted && told.withLock { $0 } > 0 }),
            tellUnstored: { _, _ in told.withLock { $0 += 1 } })
        if isInterrupted {
            await #expect(throws: StoreError.unusable("the disk is full")) {
                try await keeper.token(of: session, lasting: 60)
            }
        } else {
            #expect(text(try await keeper.token(of: session, lasting: 60).token.secret) == "a2")
            #expect(store.state.withLock { $0.tokens[session.id]?.generation } == 2)
        }
        #expect(told.withLock { $0 } == 1)
    }

    /// The person may have signed in again while this process waited for its turn.
    @Test func whoWaitedKnowsTheSessionAsItIsNow() async throws {
        let session = try session()
        time.pass(300)
        store.state.withLock { $0.isHeld = true }
        let clock = Clock(
            now: time.clock.now, boot: time.clock.boot, moment: time.clock.moment,
            sleepUntil: { [store, time] _ in
                time.pass(1)
                store.state.withLock { state in
                    state.sessions[session.id]?.client = ClientRegistration(id: BankText("new"))
                    state.isHeld = false
                }
            })
        let clients = Mutex<[String]>([])
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { _, _ in .granted(Self.grant(2)) }
        issuer.onClient = { client in clients.withLock { $0.append(client.id.untrusted) } }
        _ = try await TokenKeeper(
            service: issuer, store: store, clock: clock, signOutClock: .never, makeID: { "1" }
        ).token(of: session, lasting: 60)
        #expect(clients.withLock { $0 } == ["new"])
    }

    /// What the issuer may have forgotten is registered again by the next login, and is no more in doubt after a renewal.
    @Test(arguments: [Rejection.Kind.client, .unexplained]) func aForgottenClientIsRemembered(kind: Rejection.Kind)
        async throws
    {
        let session = try session()
        time.pass(300)
        var issuer = ScriptedIssuer()
        issuer.onRefresh = { _, _ in .rejected(Rejection(kind)) }
        _ = await failure { try await keeper(issuer).token(of: session, lasting: 60) }
        #expect(store.state.withLock { $0.tokens[session.id]?.isClientInDoubt } == true)
        guard kind == .client else { return }
        issuer.onRefresh = { _, _ in .granted(Self.grant(2)) }
        _ = try await keeper(issuer).token(of: session, lasting: 60)
        #expect(store.state.withLock { $0.tokens[session.id]?.isClientInDoubt } == false)
    }

    /// A process that renews without end does not keep anybody signed in.
    @Test func aLogoutDoesNotWaitForever() async throws {
        let session = try session()
        store.state.withLock { $0.isHeld = true }
        var issuer = ScriptedIssuer()
        issuer.onRevoke = { (_, _) async throws(IssuerError) in }
        let outcome = try await SignOut(service: issuer, store: store, clock: time.clock) { UUID().uuidString }
            .signOut(session)
        #expect(outcome.isTold)
        #expect(try store.sessions().isEmpty)
    }

    /// Some issuers give a new login the token that an old one had.
    @Test func whatIsInUseAgainIsNotEndedAsOwed() async throws {
        let session = try session()
        func owed(_ token: String) -> OwedRevocation {
            OwedRevocation(
                id: token, issuer: session.issuer, client: session.client, token: SecretSlot(MemorySecret(token)),
                kind: .refresh, since: time.clock.now())
        }
        try store.owe([owed("r1"), owed("r0")])
        let told = Mutex<[String]>([])
        var issuer = ScriptedIssuer()
        issuer.onRevoke = { token, _ in told.withLock { $0.append(token) } }
        try await SignOut(service: issuer, store: store, clock: time.clock) { UUID().uuidString }.settle()
        #expect(told.withLock { $0 } == ["r0"])
        #expect(try store.owed().isEmpty)
    }

    /// What the issuer could not be told is owed, and told later.
    @Test func aLogoutWithoutTheIssuerIsOwed() async throws {
        let session = try session()
        var issuer = ScriptedIssuer()
        issuer.onRevoke = { (_, _) async throws(IssuerError) in throw IssuerError.unreachable(reason: "no route") }
        let signOut = SignOut(service: issuer, store: store, clock: time.clock) { UUID().uuidString }
        let outcome = try await signOut.signOut(session)
        #expect((outcome.isTold, outcome.isOwed) == (false, true))
        #expect(try store.sessions().isEmpty)
        #expect(try store.owed().map { $0.token.map { text($0.secret) } } == ["r1", "a1"])
        let told = Mutex<[String]>([])
        issuer.onRevoke = { token, kind in told.withLock { $0.append("\(kind) \(token)") } }
        try await SignOut(service: issuer, store: store, clock: time.clock) { UUID().uuidString }.settle()
        #expect(told.withLock { $0 } == ["refresh r1", "access a1"])
        #expect(try store.owed().isEmpty)
    }
}
