@testable import Agent
import Authenticator
import Basics
import SCA
import Testing

/// What stories say often.
extension AgentHouse {
    /// How deep it is locked, and by what.
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

    /// Where the PIN is asked for.
    func approve(_ card: Card, by caller: CallerContext = frontEnd) async throws -> DecisionPayload {
        try await agent.approve(Self.request(card), pin: nil, from: .person, for: caller)
    }

    func deny(_ card: Card, by caller: CallerContext = frontEnd) async throws -> DecisionPayload {
        try await agent.deny(Self.request(card), pin: nil, from: .person, for: caller)
    }

    /// With the PIN that a front end took.
    func approveWithPIN(
        _ card: Card, _ pin: String = MemoryGate.pin, from source: PINSource = .file,
        by caller: CallerContext = script
    ) async throws -> DecisionPayload {
        try await agent.approve(Self.request(card), pin: try MemoryGate.secret(pin), from: source, for: caller)
    }

    /// The last decision of the log.
    var lastDecision: DecisionEntry? { get throws { try history().last } }

    /// How the desktop was told that something ended.
    var told: [RecordedAnnouncer.Call] {
        announcer.calls.all.filter { if case .tell = $0 { true } else { false } }
    }

    /// The key under which the desktop knows what the first bank asked under this id.
    func key(_ id: String) -> String { "\(bank.name):\(id)" }
}

/// Why this failed; nil where it did not.
func failure(of body: () async throws -> Void) async -> Failure? {
    do {
        try await body()
        return nil
    } catch {
        return Failure(error)
    }
}

/// Somebody who watches. Since when banks are known is told again and again, so it is left out.
struct Watching {
    private var iterator: AsyncThrowingStream<Event, any Error>.Iterator

    init(_ house: AgentHouse) async { iterator = await house.agent.events().makeAsyncIterator() }

    mutating func next() async throws -> Event? {
        while let event = try await iterator.next() {
            if case .heard = event.kind { continue }
            return event
        }
        return nil
    }

    /// The next event, which has this name.
    @discardableResult
    mutating func expect(_ name: Event.Name, _ location: SourceLocation = #_sourceLocation) async throws -> Event {
        let event = try #require(try await next(), sourceLocation: location)
        #expect(event.name == name, sourceLocation: location)
        return event
    }

    /// How many wait, as told next.
    mutating func waiting() async throws -> Int? {
        if case .waiting(let count) = try await next()?.kind { count } else { nil }
    }
}

extension AgentHouse {
    /// Where a question is left unanswered: the card, or the PIN after it.
    enum Step: CaseIterable, Sendable {
        case card, pin

        var answers: [ScriptedScreen.Answer] { self == .card ? [.none] : [.yes, .none] }
        var kinds: [ScriptedScreen.Question.Kind] { self == .card ? [.yesOrNo] : [.yesOrNo, .pin] }
    }

    /// A front end asks to approve this, and the person leaves the question open.
    func asking(_ card: Card, _ step: Step, by caller: CallerContext = frontEnd) async -> Task<Failure?, Never> {
        screen.script(step.answers)
        let before = screen.asked.count
        let asking = Task { await failure { _ = try await self.approve(card, by: caller) } }
        await screen.asked.until(count: before + step.kinds.count)
        return asking
    }
}
