import Approvals
import Basics
import Foundation
import Testing
@testable import Agent

/// What waits may be more than fits into any one answer.
@Suite(.timeLimit(.minutes(3))) struct APIPendingTests {
    private static func round(_ count: Int, text: Int = 0) throws -> PendingRound {
        var round = APISamples.pending
        let source = String(decoding: try JSONForm.encode(APISamples.oneCard), as: UTF8.self)
            .replacingOccurrences(of: "Reference R-5", with: String(repeating: "x", count: text))
        round.authorizations = try (0..<count).map { number in
            try JSONForm.decode(
                Card.self,
                from: Array(source.replacingOccurrences(of: "fernbank:a%2Fb%25", with: "fernbank:\(number)").utf8))
        }
        return round
    }

    @Test(arguments: [0, 1, 2, 300]) func theAnswerIsWhatTheRoundIs(_ count: Int) async throws {
        let round = try Self.round(count)
        try await APIFixture.with { fixture in
            fixture.agent.answer(with: round)
            let answer = try await fixture.send("GET", "/authorizations")
            #expect(answer["content-type"] == "application/json")
            #expect(answer.text == String(decoding: try JSONForm.encode(round), as: UTF8.self))
            let lines = try await fixture.send("GET", "/authorizations", headers: [("accept", "application/jsonl")])
            #expect(lines["content-type"] == "application/jsonl")
            #expect(lines.text.filter { $0 == "\n" }.count == count + 1)
            let heard = try await fixture.operations().pending(nil)
            #expect(try JSONForm.encode(heard) == JSONForm.encode(round))
        }
    }

    @Test func whatIsKnownIsAnsweredWithoutABank() async throws {
        let round = try Self.round(2)
        try await APIFixture.with { fixture in
            fixture.agent.answer(with: round)
            let known = try await fixture.operations().pending(nil, known: true)
            #expect(known.authorizations.map(\.reference) == ["fernbank:0", "fernbank:1"])
            let ofOne = try await fixture.send("GET", "/authorizations?known=true&connection=fernbank")
            #expect(ofOne.status == 200)
            #expect(fixture.agent.calls.suffix(2) == ["known -", "known fernbank"])
            let unclear = try await fixture.send("GET", "/authorizations?known=maybe")
            #expect(unclear.status == 400)
        }
    }

    /// Part of a list would pass for all of it.
    @Test func aLockInTheMiddleBreaksItOff() async throws {
        let round = try Self.round(40, text: 4000)
        try await APIFixture.with { fixture in
            fixture.agent.answer(with: round)
            let operations = try await fixture.operations()
            // One before the answer begins, one after its first piece.
            fixture.agent.lock(afterLooks: 2)
            await #expect(throws: Failure.self) { _ = try await operations.pending(nil) }
        }
    }
}
