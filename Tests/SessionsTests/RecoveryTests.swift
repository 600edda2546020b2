import Basics
import FoundationEssentials
import Keys
@testable import SessionModel
import Synchronization
import Testing

@testable import Sessions

/// What is done about a renewal whose answer was lost, while the token before it is still good (oauth section 7.4).
struct RecoveryTests {
    private typealias Calls = KeeperFixture.Calls

    /// The issuer gives the answer once more for a while only, so nobody waits until a token is needed.
    @Test(arguments: [(1, 10, true), (3, 290, true), (1, 300, false), (4, 10, false)] as [(Int, Int64, Bool)])
    func aYoungMarkIsResentAlthoughATokenIsGood(_ attempt: Int, _ age: Int64, _ isSent: Bool) async throws {
        let fern = try KeeperFixture(lifetime: 3600)
        fern.mark(attempt: attempt)
        fern.time.pass(age)
        let calls = Calls()
        #expect(try await fern.outcome(fern.keeper(calls.issuer)) == (isSent ? "a2" : "a1"))
        #expect(calls.sent.withLock { $0 } == (isSent ? ["r1 -"] : []))
        #expect(try (fern.row.mark == nil) == isSent)
    }

    @Test func whatWasAskedForThenIsCompletedBeforeWhatIsAskedForNow() async throws {
        let fern = try KeeperFixture(lifetime: 3600)
        fern.mark(KeeperFixture.mail)
        let calls = Calls()
        #expect(try await fern.outcome(fern.keeper(calls.issuer)) == "a3")
        #expect(calls.sent.withLock { $0 } == ["r1 mail", "r2 mail openid"])
    }

    /// Whoever has the turn is at work.
    @Test func aGoodTokenDoesNotWaitForWhoRenews() async throws {
        let fern = try KeeperFixture(lifetime: 3600)
        fern.mark()
        fern.store.state.withLock { $0.isHeld = true }
        #expect(try await fern.outcome(fern.keeper()) == "a1")
        #expect(fern.time.seconds.withLock { $0 } == 1000)
    }

    /// The good token will do, and a definite answer is not followed by another send.
    @Test(arguments: [
        TokenAnswer.rejected(Rejection(.client)), .rejected(Rejection(.scope)), .later(reason: "busy", retryAfter: nil),
        .rejected(Rejection(.grant)),
    ]) func anAnswerThatBringsNothing(_ answer: TokenAnswer) async throws {
        let fern = try KeeperFixture(lifetime: 3600)
        fern.mark()
        let calls = Calls([answer])
        for _ in 1...3 { #expect(try await fern.outcome(fern.keeper(calls.issuer)) == "a1") }
        #expect(calls.sent.withLock { $0 } == ["r1 -"])
    }

    @Test func noAnswerLeavesTheGoodToken() async throws {
        let fern = try KeeperFixture(lifetime: 3600)
        fern.mark()
        let calls = Calls(Array(repeating: .noAnswer(reason: "cut"), count: 9))
        for _ in 1...2 { #expect(try await fern.outcome(fern.keeper(calls.issuer)) == "a1") }
        #expect(calls.sent.withLock(\.count) == 3)
        #expect(try fern.row.mark?.attempt == 4)
    }

    /// It is dropped, so it is no reserve.
    @Test func aRejectedTokenIsNoReserveOfAResend() async throws {
        let fern = try KeeperFixture(lifetime: 3600)
        fern.mark()
        let calls = Calls([.rejected(Rejection(.client))])
        let rejected = RejectedToken { text($0) == "a1" }
        #expect(try await fern.outcome(fern.keeper(calls.issuer), rejected: rejected) == "refused")
    }

    @Test(arguments: [true, false]) func theLogHearsOfAnInterruption(_ isMarked: Bool) async throws {
        let fern = try KeeperFixture()
        if isMarked { fern.mark() }
        fern.time.pass(400)
        #expect(try await fern.outcome(fern.keeper(Calls().issuer)) == "a2")
        #expect(fern.store.state.withLock { $0.notes.map(\.event.rawValue) } == (isMarked ? ["completed"] : []))
    }

    // MARK: A disk that takes nothing

    private struct Full {
        let fern: KeeperFixture
        let calls = Calls()
        let unsaved = UnsavedSessions()

        /// The disk is full from the answer on.
        init(takesRescues: Bool = true) throws {
            fern = try KeeperFixture()
            fern.time.pass(300)
            fern.store.state.withLock { $0.takesRescues = takesRescues }
        }

        var issuer: ScriptedIssuer {
            var issuer = calls.issuer
            let (answer, store) = (issuer.onRefresh, fern.store)
            issuer.onRefresh = { token, request in
                store.state.withLock { $0.failures = 1000 }
                return await answer(token, request)
            }
            return issuer
        }

        func payload() throws -> SessionPayload {
            SessionPayload(
                fern.session, try fern.row, isUnsaved: unsaved.contains(fern.session.id), by: .never,
                at: Moment(fern.time.clock))
        }
    }

    /// After five seconds the keyring has the tokens; what the next command does with them does not need the issuer.
    @Test func whatCannotBeWrittenIsRescued() async throws {
        let full = try Full()
        let fern = full.fern
        let told = Mutex<[Bool]>([])
        let keeper = fern.keeper(
            full.issuer, interrupts: Interrupts(hold: { _ in }, isPending: { !told.withLock(\.isEmpty) }),
            unsaved: full.unsaved, tellUnstored: { _, isRescued in told.withLock { $0.append(isRescued) } })
        // The person interrupts it then: nothing is lost by that.
        #expect(try await fern.outcome(keeper) == "a2")
        #expect(told.withLock { $0 } == [true])
        #expect(fern.time.seconds.withLock { $0 } == 1305)
        #expect(try full.payload().saved == false)
        #expect(try fern.row.generation == 1)
        #expect(try fern.store.rescued(fern.session.id)?.generation == 2)

        // Another process, while the disk is still full.
        let next = UnsavedSessions()
        let later = fern.keeper(unsaved: next)
        later.takeRescued()
        #expect(next.contains(fern.session.id))
        #expect(try await fern.outcome(later) == "a2")
        // And once it is not.
        fern.store.state.withLock { $0.failures = 0 }
        later.takeRescued()
        #expect(!next.contains(fern.session.id))
        #expect(try full.payload().saved)
        #expect(try fern.row.generation == 2 && fern.row.mark == nil)
        #expect(try fern.store.rescued(fern.session.id) == nil)
        fern.time.pass(300)
        #expect(try await fern.outcome(fern.keeper(full.calls.issuer)) == "a3")
        #expect(full.calls.sent.withLock { $0 } == ["r1 -", "r2 -"])
    }

    /// The agent stops: its requests are cancelled.
    @Test(arguments: [(false, true), (true, true), (true, false), (false, false)]) func aCancellationDoesNotLoseThem(
        _ isFreed: Bool, _ takesRescues: Bool
    ) async throws {
        let full = try Full(takesRescues: takesRescues)
        let fern = full.fern
        let clock = Clock(
            now: fern.time.clock.now, boot: fern.time.clock.boot, moment: fern.time.clock.moment,
            sleepUntil: { _ in
                if isFreed { fern.store.state.withLock { $0.failures = 0 } }
                throw CancellationError()
            })
        _ = try? await fern.keeper(full.issuer, clock: clock).token(of: fern.session, lasting: 60)
        fern.store.state.withLock { $0.failures = 0 }
        let given = try await fern.outcome(fern.keeper(full.calls.issuer))
        // With neither place there is the issuer's grace time.
        #expect(full.calls.sent.withLock(\.count) == (isFreed || takesRescues ? 1 : 2))
        #expect(given == (isFreed || takesRescues ? "a2" : "a3"))
    }

    @Test func withoutAKeyringItGoesOnTrying() async throws {
        let full = try Full(takesRescues: false)
        let fern = full.fern
        let told = Mutex<[Bool]>([])
        var issuer = full.calls.issuer
        let answer = issuer.onRefresh
        issuer.onRefresh = { token, request in
            fern.store.state.withLock { $0.failures = 40 }
            return await answer(token, request)
        }
        let keeper = fern.keeper(issuer, tellUnstored: { _, isRescued in told.withLock { $0.append(isRescued) } })
        #expect(try await fern.outcome(keeper) == "a2")
        #expect(told.withLock { $0 } == [false])
        #expect(try fern.row.generation == 2)
    }

    /// Generations begin anew with a login.
    @Test func whatWasRescuedOfAnEarlierRenewalIsNotTaken() async throws {
        let fern = try KeeperFixture()
        fern.mark()
        fern.store.state.withLock { state in
            state.takesRescues = true
            state.rescued[fern.session.id] = state.tokens[fern.session.id]?.renewed(
                by: TokenKeeperTests.grant(9), for: .whole, scopes: fern.session.granted, at: Moment(fern.time.clock))
        }
        fern.store.state.withLock { $0.rescued[fern.session.id]?.mark = $0.tokens[fern.session.id]?.mark }
        fern.time.pass(1)
        #expect(try fern.store.newestTokens(of: fern.session.id).map { text($0.access[0].token.secret) } == "a9")
        fern.mark()
        #expect(try fern.store.newestTokens(of: fern.session.id).map { text($0.access[0].token.secret) } == "a1")
    }

    /// The keyring may have the tokens that the row's spent one was exchanged for.
    @Test func nothingIsSentWhileTheKeyringCannotBeRead() async throws {
        let fern = try KeeperFixture(lifetime: 300)
        fern.mark()
        fern.store.state.withLock { $0.givesRescues = false }
        let calls = Calls()
        // What is still good is handed out meanwhile.
        #expect(try await fern.outcome(fern.keeper(calls.issuer)) == "a1")
        fern.time.pass(300)
        await #expect(throws: StoreError.self) {
            _ = try await fern.keeper(calls.issuer).token(of: fern.session, lasting: 0)
        }
        #expect(calls.sent.withLock { $0 } == [])
        fern.store.state.withLock { $0.givesRescues = true }
        #expect(try await fern.outcome(fern.keeper(calls.issuer)) == "a2")
        #expect(calls.sent.withLock { $0 } == ["r1 -"])
    }

    /// A keyring that locks with the screen keeps no renewal back: it has nothing of a mark of this process.
    @Test(arguments: [true, false]) func aMarkOfThisProcessNeedsNoKeyring(_ isSameProcess: Bool) async throws {
        let fern = try KeeperFixture()
        fern.time.pass(300)
        let calls = Calls(Array(repeating: .noAnswer(reason: "lost"), count: 4))
        let unsaved = UnsavedSessions()
        #expect(try await fern.outcome(fern.keeper(calls.issuer, unsaved: unsaved)) == "unknown")
        fern.store.state.withLock { $0.givesRescues = false }
        fern.time.pass(100)
        let later = fern.keeper(calls.issuer, unsaved: isSameProcess ? unsaved : UnsavedSessions())
        if isSameProcess {
            #expect(text(try await later.token(of: fern.session, lasting: 0).token.secret) == "a6")
        } else {
            await #expect(throws: StoreError.self) { _ = try await later.token(of: fern.session, lasting: 0) }
            #expect(calls.sent.withLock(\.count) == 4)
        }
    }

    /// Only that one is good at the issuer.
    @Test func aLogoutEndsWhatWasRescued() async throws {
        let full = try Full()
        let fern = full.fern
        let keeper = fern.keeper(
            full.issuer,
            clock: Clock(
                now: fern.time.clock.now, boot: fern.time.clock.boot, moment: fern.time.clock.moment,
                sleepUntil: { _ in throw CancellationError() }))
        _ = try? await keeper.token(of: fern.session, lasting: 60)
        fern.store.state.withLock { $0.failures = 0 }
        let ended = Mutex<[String]>([])
        var issuer = ScriptedIssuer()
        issuer.onRevoke = { token, _ async throws(IssuerError) in ended.withLock { $0.append(token) } }
        _ = try await SignOut(service: issuer, store: fern.store, clock: fern.time.clock) { "1" }.signOut(fern.session)
        #expect(ended.withLock { $0 } == ["r2", "a2"])
    }
}
