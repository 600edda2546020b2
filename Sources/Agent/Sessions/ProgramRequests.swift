public import Basics
import FoundationEssentials
import LocalSocket
public import Sessions

/// What a program asked for without being allowed to have it.
public struct ProgramRequest: Sendable {
    /// Eight hexadecimal digits.
    public let id: String
    public let program: Program
    /// Whether other programs of this person could change the program's file.
    public let isChangeable: Bool
    public let requester: Requester
    public let session: SignIn
    public let aim: TokenAim
    public let kind: TokenKind
    let at: Date
    let end: ContinuousClock.Instant
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
        /// Nil for one that waits for nothing, so that it cannot tell that from a request.
        var request: String?
        var continuation: CheckedContinuation<Bool?, Never>
    }

    /// Who waits for the answer to a request, by number.
    private var waiters: [Int: Waiter] = [:]
    private var numbers = 0
    private var refusals: [Refusal] = []

    var all: [ProgramRequest] { waiting }

    /// The request of this id, or the only one that begins so. Throws `SessionError` `noRequest`.
    func request(_ id: String) throws(SessionError) -> ProgramRequest {
        let found = waiting.filter { !id.isEmpty && $0.id.hasPrefix(id) }
        guard let request = found.first, found.count == 1 else { throw .noRequest(id) }
        return request
    }

    /// The program's request for the same, if it waits already.
    func same(_ program: Program, _ session: SessionID, _ aim: TokenAim, _ kind: TokenKind) -> ProgramRequest? {
        waiting.first { $0.program == program && $0.session.id == session && $0.aim == aim && $0.kind == kind }
    }

    /// Whether the person refused this program lately.
    func isRefused(_ program: Program, _ session: SessionID, at now: ContinuousClock.Instant) -> Bool {
        refusals.contains { $0.program == program && $0.session == session && $0.end > now }
    }

    /// Adds a request, in place of an earlier one of the same program. Returns the ids of those that had to go; nil when there are too
    /// many.
    mutating func add(_ request: ProgramRequest) -> [String]? {
        let former = waiting.filter { $0.program == request.program }.map(\.id)
        guard waiting.count - former.count < Self.most else { return nil }
        for id in former { end(id, nil) }
        waiting.append(request)
        return former
    }

    mutating func refused(_ request: ProgramRequest, at now: ContinuousClock.Instant) {
        refuse(request.program, request.session.id, at: now)
        end(request.id, false)
    }

    /// The program is refused this session for a while.
    mutating func refuse(_ program: Program, _ session: SessionID, at now: ContinuousClock.Instant) {
        refusals.removeAll { $0.end <= now || ($0.program == program && $0.session == session) }
        refusals.append(Refusal(program: program, session: session, end: now + Self.life))
    }

    mutating func allowed(_ request: ProgramRequest) { end(request.id, true) }

    /// Ends those that nobody answered, and returns their ids.
    mutating func expire(at now: ContinuousClock.Instant) -> [String] {
        let over = waiting.filter { $0.end <= now }.map(\.id)
        for id in over { end(id, nil) }
        return over
    }

    /// Ends those of a program, and returns their ids.
    mutating func drop(_ program: Program) -> [String] {
        let dropped = waiting.filter { $0.program == program }.map(\.id)
        for id in dropped { end(id, nil) }
        return dropped
    }

    /// Ends all, and returns their ids. What was refused stays so.
    mutating func clear() -> [String] {
        let all = waiting.map(\.id)
        for id in all { end(id, nil) }
        for number in waiters.keys { stopWaiting(number) }
        return all
    }

    /// The number of the next waiter.
    mutating func nextNumber() -> Int {
        numbers += 1
        return numbers
    }

    /// The waiter of this number is told whether the request was allowed; nil when nobody answered, and always where there is no request.
    mutating func await(_ request: String?, _ number: Int, _ continuation: CheckedContinuation<Bool?, Never>) {
        if let request, !waiting.contains(where: { $0.id == request }) { return continuation.resume(returning: nil) }
        waiters[number] = Waiter(request: request, continuation: continuation)
    }

    /// This one waits no more.
    mutating func stopWaiting(_ number: Int) {
        waiters.removeValue(forKey: number)?.continuation.resume(returning: nil)
    }

    private mutating func end(_ id: String, _ answer: Bool?) {
        waiting.removeAll { $0.id == id }
        for (number, waiter) in waiters where waiter.request == id {
            waiters[number] = nil
            waiter.continuation.resume(returning: answer)
        }
    }
}

extension RequestPayload {
    init(_ request: ProgramRequest) {
        self.init(
            id: request.id, at: request.at, program: request.program, requester: request.requester,
            isChangeable: request.isChangeable, session: request.session, aim: request.aim,
            kind: request.kind, until: request.at + TimeInterval(ProgramRequests.life.components.seconds))
    }
}
