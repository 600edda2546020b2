@testable import Agent
import Basics
import FoundationEssentials
import SessionModel
import Sessions
import TestSupport
import Testing

/// Logins under way, without sessions or an issuer.
@Suite(.timeLimit(.minutes(2))) struct LoginDutyTests {
    /// A login that an address ending in `ok` completes, and one ending in `no` ends.
    private final class Steps: LoginSteps {
        let calls = Recorded<String>()
        let codeEntered = Door()

        func begin() async throws -> LoginOfferPayload { SessionSamples.login.offer }
        func accept(returnURL: String) async throws -> WebAddress { try WebAddress("https://fern.example/page") }
        func acceptDevice(within patience: Duration) async throws -> DeviceCodePayload {
            try #require(SessionSamples.code.device)
        }
        func take(_ address: String) async throws -> SignedInPayload? {
            if address.hasSuffix("no") { throw SessionError.declined }
            return address.hasSuffix("ok") ? SessionSamples.signedIn.signedIn : nil
        }
        func awaitDevice() async throws -> SignedInPayload {
            await codeEntered.passes()
            try Task.checkCancellation()
            return try #require(SessionSamples.signedIn.signedIn)
        }
        func abandon() async { calls.add(Task.isCancelled ? "abandon, cancelled" : "abandon") }
    }

    private final class Fixture: Sendable {
        let clock = ManualClock()
        let events = Recorded<LoginsUnderWay.Event>()
        let steps = Steps()
        let logins: LoginsUnderWay

        init() async {
            let (events, numbers) = (events, Recorded<Void>())
            logins = await LoginsUnderWay(
                clock.clock,
                makeID: {
                    numbers.add(())
                    return "\(numbers.count)"
                }, hear: { events.add($0) })
        }

        func begun(byPerson isUse: Bool = true) async throws -> String {
            try await logins.begin(byPerson: isUse) { [steps] _ in steps }.id
        }
    }

    @Test func aLoginEndsWithItsSession() async throws {
        let fixture = await Fixture()
        let id = try await fixture.begun()
        #expect(await fixture.logins.isPersonSigningIn)
        _ = try await fixture.logins.accept(id, LoginAcceptance(.browser(returnURL: "http://127.0.0.1:1/")))
        #expect(try await fixture.logins.redirect(id, "other").signedIn == nil)
        #expect(try await fixture.logins.redirect(id, "ok").signedIn != nil)
        #expect(fixture.events.all == [.personIsDone, .signedIn])
        #expect(await fixture.logins.count == 0)
        #expect(await failure { _ = try await fixture.logins.redirect(id, "ok") }?.kind == .cancelled)
        #expect(fixture.steps.calls.all == [])
    }

    @Test(arguments: [true, false]) func aRefusalEndsIt(byPerson isUse: Bool) async throws {
        let fixture = await Fixture()
        let id = try await fixture.begun(byPerson: isUse)
        #expect(await failure { _ = try await fixture.logins.redirect(id, "no") } != nil)
        #expect(fixture.events.all == (isUse ? [.personIsDone] : []))
        #expect(await fixture.logins.count == 0)
        #expect(fixture.steps.calls.all.contains("abandon"))
    }

    @Test func fourAreUnderWayAtMost() async throws {
        let fixture = await Fixture()
        for _ in 1...LoginsUnderWay.most { _ = try await fixture.begun() }
        #expect(await failure { _ = try await fixture.begun() } != nil)
        await fixture.logins.end("1")
        _ = try await fixture.begun()
        await fixture.logins.endAll()
        #expect(await fixture.logins.count == 0)
        await fixture.steps.calls.until(count: LoginsUnderWay.most + 1)
    }

    @Test func theOutcomeOfADeviceIsAwaited() async throws {
        let fixture = await Fixture()
        let id = try await fixture.begun()
        _ = try await fixture.logins.accept(id, LoginAcceptance(.device(seconds: 60)))
        try await fixture.logins.awaitOutcome(of: id, 0)
        #expect(try await fixture.logins.verdict(on: id).signedIn == nil)
        let waiting = Task { try await fixture.logins.awaitOutcome(of: id, 25) }
        while await !fixture.logins.isAwaited(id) { try await Task.sleep(for: .milliseconds(1)) }
        fixture.steps.codeEntered.unlock()
        try await waiting.value
        #expect(try await fixture.logins.verdict(on: id).signedIn != nil)
        #expect(fixture.events.all == [.waitedFor, .personIsDone, .signedIn])
    }

    @Test func theWaitEndsInTimeAndWithTheLogin() async throws {
        let fixture = await Fixture()
        for endsLogin in [false, true] {
            let id = try await fixture.begun()
            let waiting = Task { try await fixture.logins.awaitOutcome(of: id, 25) }
            while await !fixture.logins.isAwaited(id) || fixture.clock.sleepers == 0 {
                try await Task.sleep(for: .milliseconds(1))
            }
            if endsLogin { await fixture.logins.endAll() } else { fixture.clock.pass(.seconds(25)) }
            try await waiting.value
            #expect(
                await failure { _ = try await fixture.logins.verdict(on: id) }?.kind == (endsLogin ? .cancelled : nil))
        }
    }

    /// A cancelled task could not call the issuer, so the registration would stay there.
    @Test func theEndOfTheWaitForACodeIsNotCancelled() async throws {
        let fixture = await Fixture()
        let id = try await fixture.begun()
        _ = try await fixture.logins.accept(id, LoginAcceptance(.device(seconds: 60)))
        await fixture.logins.endAll()
        fixture.steps.codeEntered.unlock()
        await fixture.events.until { $0.contains(.waitedFor) ? () : nil }
        // Once by the end of the login, and once by the wait, after which the steps hold nothing.
        await fixture.steps.calls.until(count: 2)
        #expect(fixture.steps.calls.all == ["abandon", "abandon"])
    }
}
