@testable import AgentWire
import Approvals
import Basics
import ApprovalModel
import Cryptography
import Testing
@testable import Agent

private func pin(_ text: String) throws -> LockedBytes {
    var bytes = Array(text.utf8)
    return try LockedBytes(wiping: &bytes)
}

@Suite(.timeLimit(.minutes(2))) struct APIRoundTrips {
    @Test func everyQuestionIsAskedAndAnsweredAsItIs() async throws {
        try await APIFixture.with { fixture in
            let agent = try await fixture.running()
            let operations = agent.approvals
            #expect(operations.locksItself)
            #expect(try await agent.own.perform(AgentVerbs.status) == APISamples.status)
            #expect(try await operations.connections() == APISamples.connections)
            #expect(
                try await operations.rename("fernbank", to: #require(ConnectionName("new-name")))
                    == APISamples.oneConnection)
            #expect(try await operations.revoke("fernbank", localOnly: false) == APISamples.revoked)
            #expect(try await operations.revoke("fernbank", localOnly: true) == APISamples.revoked)
            try await operations.prove("fernbank")
            #expect(try json(await operations.pending(nil)) == json(APISamples.pending))
            #expect(try json(await operations.pending("fernbank")) == json(APISamples.pending))
            #expect(
                try json(await operations.card("fernbank:77"))
                    == json(APISamples.oneCard))
            #expect(
                try json(await operations.card("77", abbreviated: true)) == json(APISamples.oneCard))
            let all = HistoryRequest(connection: nil, since: nil, limit: nil, isVerified: false)
            #expect(try await operations.history(all) == APISamples.history)
            let some = HistoryRequest(
                connection: "fernbank", since: Timestamp("2030-01-01T00:00:00+02:00"), limit: 5, isVerified: true)
            #expect(try await operations.history(some) == APISamples.history)
            #expect(try await operations.candidates(for: "authenticator://x?y=\"z\"") == APISamples.connections)
            #expect(try await operations.claim("authenticator://x", for: "fernbank") == APISamples.action)
            #expect(try await operations.consents(nil) == APISamples.consents)
            #expect(try await operations.consents("oakbank") == APISamples.consents)
            #expect(try await operations.revokeConsent("fernbank:5") == APISamples.consentRevoked)
            try await operations.use()
            try await operations.lock()
            #expect(try await agent.own.perform(AgentVerbs.lock) == APISamples.status)
            #expect(
                fixture.agent.calls == [
                    "handshake", "status", "connections", "rename fernbank new-name", "revoke fernbank false",
                    "revoke fernbank true", "prove fernbank", "pending -", "pending fernbank",
                    "card fernbank:77 false", "card 77 true", "history - - - false",
                    "history fernbank 2029-12-31T22:00:00Z 5 true", "candidates authenticator://x?y=\"z\"",
                    "claim authenticator://x fernbank", "consents -", "consents oakbank", "revokeConsent fernbank:5",
                    "use", "lock", "lock",
                ])
        }
    }

    @Test func decisionsArriveWithEverythingThatBelongsToThem() async throws {
        try await APIFixture.with { fixture in
            let agent = try await fixture.running()
            let operations = agent.approvals
            let whole = DecisionRequest(
                ref: "fernbank:77", fingerprint: APISamples.fingerprint, position: Geolocation("-48.13,11.5"),
                waits: false)
            #expect(
                try await operations.approve(whole, pin: pin("271828"), from: .person, isGivenUp: { false })
                    == APISamples.decided)
            let plain = DecisionRequest(
                ref: "fernbank:77", fingerprint: APISamples.fingerprint, position: nil, waits: true)
            #expect(
                try await operations.approve(plain, pin: pin("pässwort"), from: .file, isGivenUp: { false })
                    == APISamples.decided)
            #expect(
                try await operations.deny(whole, pin: nil, from: .person, isGivenUp: { false }) == APISamples.undecided)
            var chosen = plain
            (chosen.option, chosen.reason) = ("blå|x &y", .cancelled)
            _ = try await operations.deny(chosen, pin: nil, from: .person, isGivenUp: { false })
            #expect(try await agent.unlock(.typed(pin("271828"), from: .file)) == APISamples.status)
            #expect(try await agent.unlock(nil) == APISamples.status)
            #expect(
                fixture.agent.calls.dropFirst() == [
                    "approve fernbank:77 0123 -48.13,11.5 false 271828 person",
                    "approve fernbank:77 0123 - true pässwort file", "deny fernbank:77 0123 -48.13,11.5 false",
                    "deny fernbank:77 0123 - true blå|x &y cancelled", "unlock 271828 file", "unlock - person",
                ])
            #expect(fixture.agent.lastCaller?.requester == Requester.current())
        }
    }

    @Test(arguments: [
        "fernbank:a%2Fb%3Fc%25", "fernbank:%C3%A9%E2%82%AC", "näh:ø", "a b", "../agent", "a/../b", "?x=1#y", "%", "%zz",
        "a%00b", "+", "ref;v=1", "\u{7}\u{202e}", String(repeating: "é", count: 1500),
    ])
    func namesSurviveThePath(_ name: String) async throws {
        try await APIFixture.with { fixture in
            let operations = try await fixture.operations()
            _ = try await operations.card(name)
            _ = try await operations.revokeConsent(name)
            _ = try await operations.pending(name)
            try await operations.prove(name)
            _ = try await operations.deny(
                DecisionRequest(ref: name, fingerprint: APISamples.fingerprint, position: nil, waits: true),
                pin: nil, from: .person, isGivenUp: { false })
            #expect(
                fixture.agent.calls.dropFirst() == [
                    "card \(name) false", "revokeConsent \(name)", "pending \(name)", "prove \(name)",
                    "deny \(name) 0123 - true",
                ])
        }
    }

    @Test(arguments: ["", String(repeating: "x", count: 8193)])
    func namesThatNothingHasAreFoundNowhere(_ name: String) async throws {
        try await APIFixture.with { fixture in
            let operations = try await fixture.operations()
            await fails(.notFound) { _ = try await operations.card(name, abbreviated: true) }
            await fails(.notFound) { try await operations.prove(name) }
            await fails(.notFound) { _ = try await operations.revokeConsent(name) }
            #expect(fixture.agent.calls == ["handshake"])
        }
    }

    @Test func manyCallsAtOnceDoNotWaitForEachOther() async throws {
        try await APIFixture.with { fixture in
            fixture.agent.waitForWord()
            let operations = try await fixture.operations()
            let decisions = (0..<8).map { number in
                Task {
                    try await operations.deny(
                        DecisionRequest(
                            ref: "fernbank:\(number)", fingerprint: APISamples.fingerprint, position: nil, waits: true),
                        pin: nil, from: .person, isGivenUp: { false })
                }
            }
            for number in 0..<8 { await fixture.agent.hears("waiting fernbank:\(number)") }
            #expect(try await operations.connections() == APISamples.connections)
            for number in 0..<8 { #expect(await fixture.agent.giveUp("fernbank:\(number)")) }
            for decision in decisions { #expect(try await decision.value == APISamples.undecided) }
        }
    }
}

/// Expects a failure of this kind, in the end.
func fails(
    _ kind: Failure.Kind, at location: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("nothing failed", sourceLocation: location)
    } catch {
        #expect(Failure(error).kind == kind, "\(Failure(error))", sourceLocation: location)
    }
}
