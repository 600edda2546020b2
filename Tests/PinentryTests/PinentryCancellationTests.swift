import Basics
import Foundation
@testable import Pinentry
import Testing

@Suite struct PinentryCancellations {
    @Test func aQuestionThatIsTakenBackLeavesTheScreen() async throws {
        let fake = try FakePinentry("<hang>")
        let (pinentry, log, cancellation) = (fake.pinentry, fake.log, PinentryCancellation())
        let asking = Task {
            try await blocking { try pinentry.pin(PinentryQuestion("Say it"), cancellation: cancellation) != nil }
        }
        while (try? String(contentsOf: log, encoding: .utf8).contains("GETPIN")) != true {
            try await Task.sleep(for: .milliseconds(10))
        }
        cancellation.cancel()
        await #expect(throws: PinentryError.cancelled) { try await asking.value }
        #expect(try fake.isGone())
        // Cancelling too late is not an error.
        cancellation.cancel()
    }

    @Test func whatIsTakenBackBeforeItIsAskedIsNotAsked() throws {
        let fake = try FakePinentry("OK\n")
        let cancellation = PinentryCancellation()
        cancellation.cancel()
        #expect(throws: PinentryError.cancelled) {
            try fake.pinentry.pin(PinentryQuestion("Say it"), cancellation: cancellation)
        }
        #expect(try fake.pinentry.confirm(PinentryQuestion("Is it?"), cancellation: cancellation) == false)
        #expect(((try? fake.lines()) ?? []).allSatisfy { !$0.hasPrefix("GETPIN") && !$0.hasPrefix("CONFIRM") })
    }

    @Test func aQuestionThatIsLeftAloneIsAnswered() throws {
        let fake = try FakePinentry("D 271828\nOK\n")
        let pin = try fake.pinentry.pin(PinentryQuestion("Say it"), cancellation: PinentryCancellation())
        #expect(pin?.withBytes { String(decoding: $0, as: UTF8.self) } == "271828")
    }
}
