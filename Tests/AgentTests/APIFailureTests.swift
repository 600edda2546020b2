import ApprovalModel
@testable import Client
@testable import Agent
import Approvals
import Basics
import Keys
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct APIFailures {
    static let kinds: [(Failure.Kind, Int)] = [
        (.usage, 400), (.cancelled, 409), (.locked, 423), (.notFound, 404), (.ambiguous, 404), (.refused, 409),
        (.unreachable, 502), (.secretService, 503), (.changed, 412), (.expired, 410), (.unknown, 504),
        (.internal, 500), (.signedOut, 409), (.damaged, 503),
    ]

    @Test(arguments: kinds)
    func aFailureIsTheSameOnTheOtherSide(_ kind: Failure.Kind, status: Int) async throws {
        try await APIFixture.with { fixture in
            let failure = Failure(kind, "words with \"quotes\" and é\n", hint: kind == .unknown ? nil : "do this")
            let agent = try await fixture.running()
            fixture.agent.fail(with: failure)
            #expect(try await fixture.send("GET", "/connections").status == status)
            for ask in Self.questions(agent) {
                let told = await #expect(throws: Failure.self) { try await ask() }
                #expect(told == failure)
                #expect(told?.exitCode == kind.exitCode)
            }
        }
    }

    /// One call by each way that an answer can come.
    private static func questions(_ agent: RunningAgent) -> [() async throws -> Void] {
        let operations = agent.approvals
        let request = DecisionRequest(
            ref: "fernbank:77", fingerprint: APISamples.fingerprint, position: nil, waits: true)
        return [
            { _ = try await operations.connections() },
            { try await operations.prove("fernbank") },
            { _ = try await operations.claim("link", for: "fernbank") },
            { _ = try await agent.unlock(nil) },
            { _ = try await operations.deny(request, pin: nil, from: .person, isGivenUp: { false }) },
            { _ = try await operations.enroll(.link(GivenLink("link"), name: nil)) },
        ]
    }

    @Test func aWrongPINMayBeTriedAgainOnlyWhereItMay() async throws {
        try await APIFixture.with { fixture in
            let agent = try await fixture.running()
            for mayTryAgain in [true, false] {
                let error = PINError.wrong(triesLeft: 7, blockedFor: mayTryAgain ? nil : 60)
                fixture.agent.fail(with: error)
                let told = await #expect(throws: Failure.self) {
                    _ = try await agent.unlock(nil)
                }
                #expect(told == Failure(error))
                #expect(told?.mayTryAgain == mayTryAgain)
                let answer = try await fixture.send("POST", "/unlock")
                #expect(answer.status == (mayTryAgain ? 401 : 423))
                #expect((answer["www-authenticate"] != nil) == mayTryAgain)
            }
        }
    }

    @Test func anErrorOfOursIsTranslatedAndAStrangeOneNotTold() async throws {
        struct Odd: Error { var secret = "hunter2" }
        try await APIFixture.with { fixture in
            fixture.agent.fail(with: DecisionError.changed)
            #expect(try await fixture.send("GET", "/history").failure() == .changed)
            fixture.agent.fail(with: Odd())
            let answer = try await fixture.send("GET", "/history")
            #expect(answer.status == 500)
            #expect(!answer.text.contains("hunter2"))
        }
    }

    @Test func keysThatNobodyHearsAreNoFailureButALockIs() async throws {
        try await APIFixture.with { fixture in
            let operations = try await fixture.operations()
            fixture.agent.fail(with: Failure(.internal, "odd"))
            try await operations.use()
            fixture.agent.fail(with: Failure(.locked, "locked"))
            await fails(.locked) { try await operations.use() }
        }
    }

    @Test func anAgentThatIsGoneDidNothing() async throws {
        let operations = try await APIFixture.with { try await $0.operations() }
        let told = await #expect(throws: Failure.self) { _ = try await operations.connections() }
        #expect(told == Failure(.internal, "the agent ended", hint: "run it again"))
        let request = DecisionRequest(
            ref: "fernbank:77", fingerprint: APISamples.fingerprint, position: nil, waits: true)
        await fails(.internal) { _ = try await operations.deny(request, pin: nil, from: .person, isGivenUp: { false }) }
        await fails(.internal) { _ = try await operations.events() }
    }

    /// What an agent may leave behind when it is killed, or is no agent of ours.
    @Test(arguments: [
        ("", Failure.Kind.internal, Failure.Kind.unknown),
        ("HTTP/1.1 200 OK\r\ncontent-le", .internal, .unknown),
        ("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"connections\":[", .internal, .unknown),
        ("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}", .internal, .internal),
        ("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 2\r\n\r\n{}", .internal, .internal),
        ("SSH-2.0-OpenSSH_9.2\r\n\r\n", .internal, .unknown),
    ])
    func anAnswerThatBreaksOffLeavesADecisionUnknown(
        _ answer: String, _ reading: Failure.Kind, _ deciding: Failure.Kind
    ) async throws {
        let home = try SocketHome()
        let path = home.path + "/socket"
        let stub = try SocketServerStub(
            at: path, .init(answers: [answer]), .init(answers: [answer]), .init(answers: [answer]))
        // A client keeps its connections, but this server closes each one.
        func operations() -> Carrier<any ApprovalHost> { Carrier(agent: AgentClient(of: path, headers: [])) }
        await fails(reading) { _ = try await operations().connections() }
        let request = DecisionRequest(
            ref: "fernbank:77", fingerprint: APISamples.fingerprint, position: nil, waits: true)
        await fails(deciding) {
            _ = try await operations().deny(request, pin: nil, from: .person, isGivenUp: { false })
        }
        await fails(deciding) { _ = try await operations().revoke("fernbank", localOnly: false) }
        #expect(stub.requests.count == 3)
    }

    @Test func aCallThatIsCancelledIsCutShort() async throws {
        let home = try SocketHome()
        let path = home.path + "/socket"
        let stub = try SocketServerStub(at: path, .init(answers: [""], lingers: true))
        let operations = Carrier<any ApprovalHost>(agent: AgentClient(of: path, headers: []))
        let call = Task { try await operations.connections() }
        // The request is there, and no answer comes.
        while stub.requests.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        call.cancel()
        await fails(.cancelled) { _ = try await call.value }
    }
}
