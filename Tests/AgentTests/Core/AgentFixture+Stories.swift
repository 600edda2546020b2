@testable import AgentWire
@testable import Agent
import Approvals
import Basics
import ApprovalModel
import Keys
import Testing

/// Steps that many of the tests need.
extension AgentFixture {
    /// The ways to lock the agent.
    enum Lock: CaseIterable, Sendable {
        case screen, time, command, leaving

        var state: Handshake.State {
            switch self {
            case .screen, .time: .hidden
            case .command, .leaving: .shut
            }
        }
    }

    func lock(by way: Lock) async throws {
        switch way {
        case .screen: await agent.core.screenLocked()
        case .time:
            clock.pass(.seconds(300))
            _ = try await state
        case .command: _ = try await agent.lock()
        case .leaving: await agent.core.leaving()
        }
        #expect(try await state == way.state)
    }

    static func request(_ card: Card, waits: Bool = true) -> DecisionRequest {
        DecisionRequest(ref: card.reference, fingerprint: card.fingerprint, position: nil, waits: waits)
    }

    /// Approves with the agent asking for the PIN.
    func approve(_ card: Card, by caller: CallerContext = frontEnd) async throws -> DecisionPayload {
        try await agent.approvals.decide(.approve, Self.request(card), for: caller)
    }

    func deny(_ card: Card, by caller: CallerContext = frontEnd) async throws -> DecisionPayload {
        try await agent.approvals.decide(.deny, Self.request(card), for: caller)
    }

    /// Approves with the PIN that a front end took.
    func approveWithPIN(
        _ card: Card, _ pin: String = MemoryGate.pin, from source: PINSource = .file,
        by caller: CallerContext = script
    ) async throws -> DecisionPayload {
        let pin = EnteredPIN.typed(try MemoryGate.secret(pin), from: source)
        return try await agent.approvals.decide(.approve, Self.request(card), pin, for: caller)
    }

    /// The last decision in the log.
    var lastDecision: DecisionEntry? { get throws { try history().last } }

    /// The desktop notes on how decisions ended.
    var told: [RecordedAnnouncer.Call] {
        announcer.calls.all.filter { if case .tell = $0 { true } else { false } }
    }

    /// The key under which the desktop knows the first bank's request with this id.
    func key(_ id: String) -> String { "\(bank.name):\(id)" }
}

/// The failure of `body`; nil if it succeeds.
func failure(of body: () async throws -> Void) async -> Failure? {
    do {
        try await body()
        return nil
    } catch {
        return Failure(error)
    }
}

/// A watcher. Skips `heard` events, which come again and again.
struct Watching {
    private var iterator: AsyncThrowingStream<AgentEvent, any Error>.Iterator

    init(_ fixture: AgentFixture) async {
        iterator = await fixture.agent.events(EventsRequest()).makeAsyncIterator()
    }

    mutating func next() async throws -> Event? {
        while let next = try await iterator.next() {
            guard case .approvals(let event) = next else {
                Issue.record("\(next) is for those who asked for it")
                return nil
            }
            if case .heard = event.kind { continue }
            return event
        }
        return nil
    }

    /// Reads the next event, and checks that it has this name.
    @discardableResult
    mutating func expect(_ name: Event.Name, _ location: SourceLocation = #_sourceLocation) async throws -> Event {
        let event = try #require(try await next(), sourceLocation: location)
        #expect(event.name == name, sourceLocation: location)
        return event
    }

    /// Reads the next event: how many wait.
    mutating func waiting() async throws -> Int? {
        if case .waiting(let count) = try await next()?.kind { count } else { nil }
    }
}

extension AgentFixture {
    /// Where the person leaves a question unanswered: at the card, or at the PIN after it.
    enum Step: CaseIterable, Sendable {
        case card, pin

        var answers: [ScriptedScreen.Answer] { self == .card ? [.none] : [.yes, .none] }
        var kinds: [ScriptedScreen.Question.Kind] { self == .card ? [.yesOrNo] : [.yesOrNo, .pin] }
    }

    /// A front end asks to approve this card, and the person leaves the question open at this step.
    func asking(_ card: Card, _ step: Step, by caller: CallerContext = frontEnd) async -> Task<Failure?, Never> {
        screen.script(step.answers)
        let before = screen.asked.count
        let asking = Task { await failure { _ = try await self.approve(card, by: caller) } }
        await screen.asked.until(count: before + step.kinds.count)
        return asking
    }
}
