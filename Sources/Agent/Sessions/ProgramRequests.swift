public import Basics
import FoundationEssentials
import LocalSocket
public import Sessions

/// The request of a program for a token that no grant allows yet.
public struct ProgramRequest: Sendable {
    /// The token that the program would get from one session.
    public struct Choice: Sendable {
        public let session: SignIn
        public let aim: TokenAim
    }

    /// Eight hexadecimal digits.
    public let id: String
    public let program: Program
    /// Whether other programs of this person could change the program's file.
    public let isChangeable: Bool
    /// The name that the program claims. Only the person's judgement depends on it.
    public let claim: ClaimedName?
    public let requester: Requester
    /// At least one; several where the program did not say which session it means.
    public let choices: [Choice]
    public let kind: TokenKind
    let at: Date
    let end: ContinuousClock.Instant

    /// The choice that the person allows; `name` is needed if several sessions fit. Throws `SessionError` `needsChoice`.
    func choice(of name: SessionName?) throws(SessionError) -> Choice {
        let named = choices.filter { name == nil || $0.session.name == name }
        guard let choice = named.first, named.count == 1 else {
            throw .needsChoice(id: id, choices.map(\.session.name.text))
        }
        return choice
    }
}

/// The requests of programs that nobody has answered: at most one of each program, and sixteen in all. They are kept in memory alone,
/// for ten minutes.
struct ProgramRequests {
    static let life = Duration.seconds(600)
    private static let most = 16

    private struct Refusal {
        var program: Program
        var session: SessionID
        var end: ContinuousClock.Instant
    }

    private var waiting: [ProgramRequest] = []
    private struct Waiter {
        /// Nil if there is no request, or no longer. The program waits all the same, so that it learns nothing from the
        /// delay.
        var request: String?
        var continuation: CheckedContinuation<Bool, Never>
    }

    /// The programs that wait for the person's answer, by number.
    private var waiters: [Int: Waiter] = [:]
    private var numbers = 0
    private var refusals: [Refusal] = []

    var all: [ProgramRequest] { waiting }

    /// The request with this id, or the only request whose id begins with it. Throws `SessionError` `noRequest`.
    func request(_ id: String) throws(SessionError) -> ProgramRequest {
        let found = waiting.filter { !id.isEmpty && $0.id.hasPrefix(id) }
        guard let request = found.first, found.count == 1 else { throw .noRequest(id) }
        return request
    }

    /// The program's request for the same, if it waits already.
    func same(_ program: Program, _ wanted: [TokenChoice]) -> ProgramRequest? {
        waiting.first { request in
            request.program == program
                && request.choices.elementsEqual(wanted) {
                    $0.session.id == $1.session.id && $0.aim == $1.aim && request.kind == $1.kind
                }
        }
    }

    /// Whether the person refused this program lately.
    func isRefused(_ program: Program, _ session: SessionID, at now: ContinuousClock.Instant) -> Bool {
        refusals.contains { $0.program == program && $0.session == session && $0.end > now }
    }

    /// Adds a request in place of the same program's earlier one. Returns the ids of the replaced requests; nil if too many
    /// requests wait.
    mutating func add(_ request: ProgramRequest) -> [String]? {
        let former = waiting.filter { $0.program == request.program }.map(\.id)
        guard waiting.count - former.count < Self.most else { return nil }
        for id in former { end(id) }
        waiting.append(request)
        return former
    }

    mutating func refused(_ request: ProgramRequest, at now: ContinuousClock.Instant) {
        for choice in request.choices { refuse(request.program, choice.session.id, at: now) }
        end(request.id)
    }

    /// The program is refused this session for a while.
    mutating func refuse(_ program: Program, _ session: SessionID, at now: ContinuousClock.Instant) {
        refusals.removeAll { $0.end <= now || ($0.program == program && $0.session == session) }
        refusals.append(Refusal(program: program, session: session, end: now + Self.life))
    }

    mutating func allowed(_ request: ProgramRequest) {
        for (number, waiter) in waiters where waiter.request == request.id {
            waiters[number] = nil
            waiter.continuation.resume(returning: true)
        }
        end(request.id)
    }

    /// Ends the requests whose time is over, and returns their ids.
    mutating func expire(at now: ContinuousClock.Instant) -> [String] {
        let over = waiting.filter { $0.end <= now }.map(\.id)
        for id in over { end(id) }
        return over
    }

    /// Ends the requests of a program, and returns their ids.
    mutating func drop(_ program: Program) -> [String] {
        let dropped = waiting.filter { $0.program == program }.map(\.id)
        for id in dropped { end(id) }
        return dropped
    }

    /// Ends all requests and all waits, and returns the requests' ids. Refusals stay.
    mutating func clear() -> [String] {
        let all = waiting.map(\.id)
        for id in all { end(id) }
        for number in waiters.keys { stopWaiting(number) }
        return all
    }

    /// The number of the next waiter.
    mutating func nextNumber() -> Int {
        numbers += 1
        return numbers
    }

    /// Resumes with true once this request is allowed, and with false when the wait ends.
    mutating func await(_ request: String?, _ number: Int, _ continuation: CheckedContinuation<Bool, Never>) {
        waiters[number] = Waiter(request: request, continuation: continuation)
    }

    /// Ends the wait of this waiter.
    mutating func stopWaiting(_ number: Int) {
        waiters.removeValue(forKey: number)?.continuation.resume(returning: false)
    }

    private mutating func end(_ id: String) {
        waiting.removeAll { $0.id == id }
        for (number, waiter) in waiters where waiter.request == id { waiters[number]?.request = nil }
    }
}

extension RequestPayload {
    init(_ request: ProgramRequest) {
        self.init(
            id: request.id, at: request.at, program: request.program, claim: request.claim,
            requester: request.requester, isChangeable: request.isChangeable,
            choices: request.choices.map { .init($0.session, $0.aim) }, kind: request.kind,
            until: request.at + TimeInterval(ProgramRequests.life.components.seconds))
    }
}
