@testable import Client
import Approvals
import Basics
import Dialogue
import TestSupport
import Testing

/// A front end leads a person to a page and back, here by pasted addresses.
@Suite(.timeLimit(.minutes(2))) struct PageRunTests {
    /// The calls to the steps and to the front end, in their order.
    private let calls = Recorded<String>()

    /// A front end whose person pastes these addresses.
    private struct Show: PageShow {
        let calls: Recorded<String>
        let pasted: [String]

        func show(_ page: WebAddress, for callback: PageCallback) async throws {
            calls.add("show \(page.text)")
            for address in pasted { _ = callback.paste(address) }
        }
        func report(_ failure: Failure) { calls.add("report \(failure.kind)") }
        func close() async { calls.add("close") }
    }

    private static let back = "http://127.0.0.1:4711/x"

    private func run(_ answer: Answer, pasted: [String] = [], loss: Failure? = nil) async throws -> ConnectionPayload {
        let (calls, page) = (calls, APISamples.page)
        var steps = PageSteps<ConnectionPayload>(
            accept: {
                calls.add("accept \($0)")
                return page
            },
            take: {
                calls.add("take \($0)")
                return $0.hasSuffix("good") ? APISamples.verdict : APISamples.noVerdict
            }, abandon: { calls.add("abandon") })
        if let loss { steps.awaitLoss = { throw loss } }
        let show = Show(calls: calls, pasted: pasted)
        let run = PageRun(steps, answer: { _ in answer }) {
            .paste(.init(isRedirect: { _, _ in true }), show, minutes: 1, returnURL: Self.back)
        }
        return try await run.run(
            PageDialogue(
                enrolling: APISamples.opened.offer, besides: [], isAgreed: false, before: .person(typesWords: false)))
    }

    @Test func itWaitsUntilARedirectProvesGood() async throws {
        let connected = try await run(.yes, pasted: [Self.back + "?bad", Self.back + "?good"])
        #expect(connected == APISamples.verdict.connection)
        #expect(
            calls.all == [
                "accept \(Self.back)", "show \(try #require(APISamples.page.page).text)", "take \(Self.back)?bad",
                "report \(try #require(APISamples.noVerdict.error).failure.kind)", "take \(Self.back)?good", "close",
            ])
    }

    /// Nothing listens, and no page is shown, before the yes.
    @Test func aNoMakesNothing() async throws {
        #expect(await failure { _ = try await run(.no) } == Failure(EnrollmentError.declined))
        #expect(calls.all == ["abandon"])
    }

    /// The error of the lock, not that of the end of the wait.
    @Test func aLossEndsTheWaitWithItsError() async throws {
        #expect(await failure { _ = try await run(.yes, loss: .needsUnlock) } == .needsUnlock)
        #expect(calls.all.suffix(2) == ["close", "abandon"])
    }
}
