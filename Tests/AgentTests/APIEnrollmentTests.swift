import ApprovalModel
import Approvals
import Basics
import Testing
@testable import Agent

@Suite(.timeLimit(.minutes(2))) struct APIEnrollments {
    @Test func theStepsAreTakenInTheAgent() async throws {
        try await APIFixture.with { fixture in
            let operations = try await fixture.operations()
            let (offer, steps) = try await operations.enroll(
                .link(GivenLink("authenticator://x?a=%20"), name: ConnectionName("fern")))
            #expect(offer == APISamples.opened.offer)
            guard case .page(let page) = try await steps.accept("http://127.0.0.1:4711/x"),
                case .redirect(let failure) = try await steps.take("http://127.0.0.1:4711/x?bad"),
                case .done(let connection) = try await steps.take("http://127.0.0.1:4711/x?good")
            else {
                Issue.record("other events")
                return
            }
            #expect(page == APISamples.page.page && connection == APISamples.verdict.connection)
            #expect(failure == APISamples.noVerdict.error?.failure)
            await steps.abandon()
            #expect(
                fixture.agent.calls.dropFirst() == [
                    "begin authenticator://x?a=%20 fern", "accept http://127.0.0.1:4711/x",
                    "take http://127.0.0.1:4711/x?bad", "take http://127.0.0.1:4711/x?good", "end e-1",
                ])
            _ = try await operations.enroll(.again("fernbank"))
            #expect(fixture.agent.calls.contains("again fernbank -"))
            _ = try await operations.enroll(.again("fernbank", link: GivenLink("pia://x?a=%20")))
            #expect(fixture.agent.calls.contains("again fernbank pia://x?a=%20"))
        }
    }

    @Test func itEndsWhenNobodyDrivesItOn() async throws {
        try await APIFixture.with { fixture in
            let operations = try await fixture.operations()
            do {
                _ = try await operations.enroll(.link(GivenLink("link"), name: nil))
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
        }
    }
}
