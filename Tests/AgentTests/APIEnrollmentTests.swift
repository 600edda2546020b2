import ApprovalModel
import Approvals
import Basics
import Testing
@testable import Agent

@Suite(.timeLimit(.minutes(2))) struct APIEnrollments {
    @Test func theStepsAreTakenInTheAgent() async throws {
        try await APIFixture.with { fixture in
            let operations = try await fixture.operations()
            let steps = try await operations.enroll(
                .link(GivenLink("authenticator://x?a=%20"), name: ConnectionName("fern")))
            #expect(fixture.agent.calls == ["handshake"])
            #expect(try await steps.begin() == APISamples.opened.offer)
            #expect(try await steps.accept(returnURL: "http://127.0.0.1:4711/x") == APISamples.page)
            #expect(try await steps.take("http://127.0.0.1:4711/x?bad") == APISamples.noVerdict)
            #expect(try await steps.take("http://127.0.0.1:4711/x?good") == APISamples.verdict)
            await steps.abandon()
            #expect(
                fixture.agent.calls.dropFirst() == [
                    "begin authenticator://x?a=%20 fern", "accept http://127.0.0.1:4711/x",
                    "take http://127.0.0.1:4711/x?bad", "take http://127.0.0.1:4711/x?good", "end e-1",
                ])
            let again = try await operations.enroll(.again("fernbank"))
            _ = try await again.begin()
            #expect(fixture.agent.calls.contains("again fernbank -"))
            _ = try await operations.enroll(.again("fernbank", link: GivenLink("pia://x?a=%20"))).begin()
            #expect(fixture.agent.calls.contains("again fernbank pia://x?a=%20"))
        }
    }

    @Test func itEndsWhenNobodyDrivesItOn() async throws {
        try await APIFixture.with { fixture in
            let operations = try await fixture.operations()
            do {
                let steps = try await operations.enroll(.link(GivenLink("link"), name: nil))
                _ = try await steps.begin()
                #expect(!fixture.agent.calls.contains("end e-1"))
            }
            await fixture.agent.hears("end e-1")
        }
    }

    @Test func oneOfAnotherFrontEndStaysUntilItIsEnded() async throws {
        try await APIFixture.with { fixture in
            let opened = try await fixture.send("POST", "/enrollments", json: #"{"link":"link"}"#)
            #expect(opened.text == (try json(APISamples.opened)))
            // Each request has a connection of its own here.
            let taken = try await fixture.send("POST", "/enrollments/e-1/redirects", json: #"{"address":"x?good"}"#)
            #expect(taken.text == (try json(APISamples.verdict)))
            #expect(try await fixture.send("DELETE", "/enrollments/e-1").status == 204)
            #expect(fixture.agent.calls == ["begin link -", "take x?good", "end e-1"])
        }
    }

    @Test func oneThatWasEndedTakesNoStep() async throws {
        try await APIFixture.with { fixture in
            let answer = try await fixture.send("POST", "/enrollments/e-2/accept", json: #"{"return_url":"x"}"#)
            #expect(answer.status == 409)
            #expect(try answer.failure() == Failure(EnrollmentError.outOfTurn))
            let steps = try await fixture.operations().enroll(.link(GivenLink("link"), name: nil))
            await fails(.cancelled) { _ = try await steps.take("x") }
            await steps.abandon()
            #expect(fixture.agent.calls == ["handshake"])
        }
    }
}
