@testable import Agent
import Authenticator
import Basics
import SCA
import Synchronization
import TestSupport
import Testing

/// An agent that answers with the samples, notes what it was asked, and fails as it is told.
final class FakeAgent: AgentServing, ApprovalServing {
    struct State {
        /// The process that it says it is.
        var pid: Int32 = 4711
        /// What was asked for, word by word.
        var calls: [String] = []
        var callers: [CallerContext] = []
        /// The changes for which a yes was wanted.
        var changes: [String] = []
        var failure: (any Error)?
        /// Of decisions whose final word is awaited until they are given up.
        var waiting: [String: CheckedContinuation<Void, Never>] = [:]
        /// Give-ups that are not heard, since the decision is not known yet.
        var deafness = 0
        var streams: [AsyncThrowingStream<AgentEvent, any Error>.Continuation] = []
        var endedStreams = 0
        var isWaitingForWord = false
        var enrollments: Set<String> = []
        /// What waits.
        var round = APISamples.pending
        /// How many more looks find it open.
        var looks = Int.max
        /// Who wants to know when a call is noted.
        var listeners: [(String, Door)] = []
    }
    let state = Mutex(State())

    var calls: [String] { state.withLock { $0.calls } }
    var lastCaller: CallerContext? { state.withLock { $0.callers.last } }

    /// What every later call throws.
    func fail(with error: (any Error)?) { state.withLock { $0.failure = error } }

    /// Waits until this was asked for.
    func hears(_ call: String) async {
        let door = Door()
        let isHeard = state.withLock { state in
            state.listeners.append((call, door))
            return state.calls.contains(call)
        }
        if isHeard { return }
        await door.passes()
    }

    func note(_ words: String?...) throws { try note(words) }

    func note(_ words: [String?]) throws {
        let call = words.map { $0 ?? "-" }.joined(separator: " ")
        try state.withLock { state in
            state.calls.append(call)
            for (wanted, door) in state.listeners where wanted == call { door.unlock() }
            if let failure = state.failure { throw failure }
        }
    }

    private func note(_ caller: CallerContext) { state.withLock { $0.callers.append(caller) } }

    private static func words(_ pin: (any Secret)?, _ source: PINSource) -> String {
        let text = pin.map { $0.withBytes { String(decoding: $0, as: UTF8.self) } } ?? "-"
        return "\(text) \(source)"
    }

    // MARK: Serving

    func handshake() async throws -> Handshake {
        try note("handshake")
        return Handshake(
            version: ProductVersion.text, vault: "vault-1", pid: state.withLock { $0.pid }, state: .open, waiting: 2,
            sessions: .atHand)
    }

    func demandYes(to change: String, for caller: CallerContext) async throws {
        state.withLock { $0.changes.append(change) }
    }

    func known(_ connection: String?) async throws -> PendingRound {
        try note("known", connection)
        return state.withLock { $0.round }
    }

    func demandOpen() async throws {
        try state.withLock { state in
            state.looks -= 1
            if state.looks < 0 { throw AgentCore.isLocked }
        }
    }

    /// What waits from now on.
    func answer(with round: PendingRound) { state.withLock { $0.round = round } }

    /// It is shut after so many more looks whether it is open.
    func lock(afterLooks count: Int) { state.withLock { $0.looks = count } }

    func status() async throws -> StatusPayload {
        try note("status")
        return APISamples.status
    }

    func unlock(_ pin: (any Secret)?, from source: PINSource, for caller: CallerContext) async throws -> StatusPayload {
        note(caller)
        try note("unlock", Self.words(pin, source))
        return APISamples.status
    }

    func lock() async throws -> StatusPayload {
        try note("lock")
        return APISamples.status
    }

    func use(for caller: CallerContext) async throws {
        note(caller)
        try note("use")
    }

    func operations(for caller: CallerContext) async throws -> any Operations {
        note(caller)
        return FakeOperations(agent: self)
    }

    func approve(
        _ request: DecisionRequest, pin: (any Secret)?, from source: PINSource, for caller: CallerContext
    ) async throws -> DecisionPayload {
        note(caller)
        try note("approve", Self.words(request), Self.words(pin, source))
        await finalWord(request.ref)
        return APISamples.decided
    }

    func deny(
        _ request: DecisionRequest, pin: (any Secret)?, from source: PINSource, for caller: CallerContext
    ) async throws -> DecisionPayload {
        note(caller)
        try note("deny", Self.words(request) + (pin == nil ? "" : " " + Self.words(pin, source)))
        await finalWord(request.ref)
        return APISamples.undecided
    }

    /// From now on decisions wait for the bank's final word until they are given up.
    func waitForWord(deafFor times: Int = 0) { state.withLock { ($0.isWaitingForWord, $0.deafness) = (true, times) } }

    private func finalWord(_ ref: String) async {
        guard state.withLock({ $0.isWaitingForWord }) else { return }
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiting[ref] = continuation }
            try? note("waiting", ref)
        }
    }

    func giveUp(_ ref: String) async -> Bool {
        let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.deafness > 0 {
                state.deafness -= 1
                return nil
            }
            return state.waiting.removeValue(forKey: ref)
        }
        try? note("giveUp", ref)
        continuation?.resume()
        return continuation != nil
    }

    private static func words(_ request: DecisionRequest) -> String {
        let position = request.position.map { "\($0.latitude),\($0.longitude)" } ?? "-"
        let more = [request.option, request.reason?.rawValue].compactMap { $0.map { " \($0)" } }.joined()
        return "\(request.ref) \(request.fingerprint.hex.prefix(4)) \(position) \(request.waits)\(more)"
    }

    func events(_ request: EventsRequest) async throws -> AsyncThrowingStream<AgentEvent, any Error> {
        try note(request.includesSessions ? "events sessions" : "events")
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: AgentEvent.self)
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.endedStreams += 1 }
            try? self?.note("stream over")
        }
        state.withLock { $0.streams.append(continuation) }
        for event in APISamples.events { continuation.yield(.approvals(event)) }
        if request.includesSessions { for event in SessionSamples.events { continuation.yield(.sessions(event)) } }
        return stream
    }

    func beginEnrollment(_ request: EnrollmentRequest, for caller: CallerContext) async throws -> OpenEnrollment {
        note(caller)
        switch request {
        case .link(let link, let name): try note("begin", link, name?.text)
        case .again(let name, let link): try note("again", name, link)
        }
        state.withLock { _ = $0.enrollments.insert("e-1") }
        return APISamples.opened
    }

    func enrollment(_ id: String) async -> (any EnrollmentSteps)? {
        state.withLock { $0.enrollments.contains(id) } ? FakeSteps(agent: self) : nil
    }

    func endEnrollment(_ id: String) async {
        state.withLock { _ = $0.enrollments.remove(id) }
        try? note("end", id)
    }

    struct FakeSteps: EnrollmentSteps {
        let agent: FakeAgent

        func begin() async throws -> EnrollmentOfferPayload { APISamples.opened.offer }

        func accept(returnURL: String) async throws -> EnrollmentNext {
            try agent.note("accept", returnURL)
            return APISamples.page
        }

        func take(_ address: String) async throws -> RedirectVerdict {
            try agent.note("take", address)
            return address.contains("good") ? APISamples.verdict : APISamples.noVerdict
        }

        func abandon() async {}
    }
}
