@testable import AgentWire
@testable import Agent
import Approvals
import Basics
import ApprovalModel
import Keys
import SessionModel
import Sessions
import Synchronization
import TestSupport
import Testing
import Verbs

/// An agent that serves every verb: it answers with the samples, notes what it was asked, and fails as it is told.
final class FakeAgent: Sendable {
    struct State {
        /// The process that it says it is.
        var pid: Int32 = 4711
        /// What was asked for, word by word.
        var calls: [String] = []
        var callers: [CallerContext] = []
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

    static func words(_ pin: EnteredPIN?) -> String {
        guard case .typed(let secret, let source) = pin else { return "- person" }
        return secret.withBytes { String(decoding: $0, as: UTF8.self) } + " \(source)"
    }

    // MARK: Serving

    var routes: [Route] {
        AgentVerbs.all.map(route) + ApprovalVerbs.all.map(route) + SessionVerbs.all.map(route)
    }

    var api: AgentAPI { api(more: []) }

    /// - Parameter more: the routes of another job.
    func api(more: [Route]) -> AgentAPI {
        AgentAPI(routes + more, demandOpen: { [weak self] in try self?.demandOpen() })
    }

    /// Serves this verb with the fake's own answer.
    private func route<Host>(_ verb: UntypedVerb<Host>) -> Route {
        Route(rules: verb.rules) { request in
            let input = try verb.read(request.arguments).input
            return Route.Request(input: input) {
                self.state.withLock { $0.callers.append(request.caller) }
                if verb.rules.lock == .atHand { try self.demandAtHand() }
                return try await self.answer(verb.rules.name, input, request)
            }
        }
    }

    private func answer(_ verb: String, _ input: any VerbInput, _ request: APIRequest) async throws -> any Sendable {
        switch input {
        case let terms as DecisionRequest.Terms:
            return try await decide(verb, DecisionRequest(ref: request.arguments.name, terms), request)
        case let events as EventsRequest: return try stream(events)
        case let enrollment as NewEnrollment: return try begin(enrollment, request.caller)
        default: break
        }
        let name = request.arguments.name
        if let answer = try answerAboutSessions(verb, input, request) { return answer }
        let (words, sample) = try Self.answer(verb, name, input, request.pin)
        switch verb {
        case "giveUp":
            guard await giveUp(name) else { throw Failure(.notFound, "no decision on this is under way") }
            return sample
        case "endEnrollment":
            state.withLock { _ = $0.enrollments.remove(name) }
            try? note(words)
            return sample
        case "accept", "redirect":
            guard state.withLock({ $0.enrollments.contains(name) }) else { throw EnrollmentError.outOfTurn }
        default: break
        }
        try note(words)
        if case "handshake" = verb { return handshake }
        return sample is PendingRound ? state.withLock { $0.round } : sample
    }

    private var handshake: Handshake {
        Handshake(
            version: ProductVersion.text, vault: "vault-1", pid: state.withLock { $0.pid }, state: .open, waiting: 2,
            sessions: .atHand)
    }

    /// The words to note, and the answer.
    private static func answer(
        _ verb: String, _ name: String, _ input: any VerbInput, _ pin: EnteredPIN?
    ) throws -> ([String?], any Sendable) {
        switch input {
        case let new as NewName: (["rename", name, new.name.text], APISamples.oneConnection)
        case let options as Approvals.RevokeOptions: (["revoke", name, "\(options.localOnly)"], APISamples.revoked)
        case let request as PendingRequest:
            ([request.known ? "known" : "pending", request.connection], APISamples.pending)
        case let options as CardOptions: (["card", name, "\(options.abbreviated)"], APISamples.oneCard)
        case let request as HistoryRequest:
            (
                [
                    "history", request.connection, request.since?.text, request.limit.map { "\($0)" },
                    "\(request.isVerified)",
                ],
                APISamples.history
            )
        case let action as CandidatesRequest: (["candidates", action.link.text], APISamples.connections)
        case let claim as ClaimRequest: (["claim", claim.link.text, claim.connection], APISamples.action)
        case let request as ConsentsRequest: (["consents", request.connection], APISamples.consents)
        case let acceptance as Acceptance: (["accept", acceptance.returnUrl], APISamples.page)
        case let incoming as IncomingAddress:
            (["take", incoming.address], incoming.address.contains("good") ? APISamples.verdict : APISamples.noVerdict)
        default: try withoutInput(verb, name, pin)
        }
    }

    private static func withoutInput(
        _ verb: String, _ name: String, _ pin: EnteredPIN?
    ) throws -> ([String?], any Sendable) {
        switch verb {
        case "handshake", "use": ([verb], NoOutput())
        case "status", "lock": ([verb], APISamples.status)
        case "unlock": ([verb, words(pin)], APISamples.status)
        case "connections": ([verb], APISamples.connections)
        case "prove", "giveUp": ([verb, name], NoOutput())
        case "endEnrollment": (["end", name], NoOutput())
        case "revokeConsent": ([verb, name], APISamples.consentRevoked)
        default: throw Unknown(verb: verb)
        }
    }

    struct Unknown: Error { let verb: String }

    private func demandOpen() throws {
        try state.withLock { state in
            state.looks -= 1
            if state.looks < 0 { throw AgentCore.isLocked }
        }
    }

    private func demandAtHand() throws {
        do { try demandOpen() } catch { throw SessionError.notAtHand }
    }

    /// What waits from now on.
    func answer(with round: PendingRound) { state.withLock { $0.round = round } }

    /// It is shut after so many more looks whether it is open.
    func lock(afterLooks count: Int) { state.withLock { $0.looks = count } }

    // MARK: Decisions

    private func decide(
        _ verb: String, _ decision: DecisionRequest, _ request: APIRequest
    ) async throws -> DecisionPayload {
        let pin = verb == "deny" && request.pin == nil ? "" : " " + Self.words(request.pin)
        try note(verb, Self.words(decision) + pin)
        let departure = request.caller.presence.onDeparture { Task { await self.giveUp(decision.ref) } }
        defer { request.caller.presence.forget(departure) }
        await finalWord(decision.ref)
        return verb == "deny" ? APISamples.undecided : APISamples.decided
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

    @discardableResult
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

    // MARK: Streams and enrollments

    private func stream(_ request: EventsRequest) throws -> AsyncThrowingStream<AgentEvent, any Error> {
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

    private func begin(_ new: NewEnrollment, _ caller: CallerContext) throws -> OpenEnrollment {
        switch new.request {
        case .link(let link, let name): try note("begin", link.text, name?.text)
        case .again(let name, let link): try note("again", name, link?.text)
        }
        state.withLock { _ = $0.enrollments.insert("e-1") }
        if new.whileConnected { _ = caller.presence.onDeparture { try? self.note("end e-1") } }
        return APISamples.opened
    }
}
