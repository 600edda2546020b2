import SessionModel
import Sessions

/// The requests of programs that nobody has answered: at most one of each program, and sixteen in all. They are kept in memory alone,
/// for ten minutes.
struct ProgramRequests {
    /// A change that watchers and the desktop learn of.
    enum Change {
        /// A request waits.
        case came(id: String)
        /// The desktop shows a note about this request.
        case announced(ProgramRequest)
        /// A request no longer waits.
        case gone(id: String)
    }

    static let life = Duration.seconds(600)
    /// How long the desktop hears no more of a program after a note about it, so that a program that asks for one thing after the other
    /// cannot fill the screen.
    static let pause = Duration.seconds(60)
    private static let most = 16

    private struct Refusal {
        var program: Program
        var session: SessionID
        var end: ContinuousClock.Instant
    }

    private struct Waiter {
        /// Nil if there is no request, or no longer. The program waits all the same, so that it learns nothing from the
        /// delay.
        var request: String?
        var continuation: CheckedContinuation<Bool, Never>
    }

    private var waiting: [ProgramRequest] = []
    /// The programs that wait for the person's answer, by number.
    private var waiters: [Int: Waiter] = [:]
    private var numbers = 0
    private var refusals: [Refusal] = []
    /// When the desktop last showed a note about each program.
    private var lastAnnounced: [Program: ContinuousClock.Instant] = [:]
    private var unanswered = UnansweredNotes()

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

    /// Adds a request in place of the same program's earlier one. Returns nil, and changes nothing, if too many requests wait.
    mutating func add(_ request: ProgramRequest, at now: ContinuousClock.Instant) -> [Change]? {
        let former = waiting.filter { $0.program == request.program }.map(\.id)
        guard waiting.count - former.count < Self.most else { return nil }
        let changes = passed(former)
        waiting.append(request)
        lastAnnounced = lastAnnounced.filter { $0.value + Self.pause > now }
        guard lastAnnounced[request.program] == nil, !unanswered.isQuiet(request.program) else {
            return changes + [.came(id: request.id)]
        }
        lastAnnounced[request.program] = now
        unanswered.told(of: request)
        return changes + [.came(id: request.id), .announced(request)]
    }

    /// The person refused this request.
    mutating func refused(_ request: ProgramRequest, at now: ContinuousClock.Instant) -> [Change] {
        for choice in request.choices { refuse(request.program, choice.session.id, at: now) }
        return answered(request)
    }

    /// The program is refused this session for a while.
    mutating func refuse(_ program: Program, _ session: SessionID, at now: ContinuousClock.Instant) {
        refusals.removeAll { $0.end <= now || ($0.program == program && $0.session == session) }
        refusals.append(Refusal(program: program, session: session, end: now + Self.life))
    }

    /// The person allowed this request.
    mutating func allowed(_ request: ProgramRequest) -> [Change] {
        for (number, waiter) in waiters where waiter.request == request.id {
            waiters[number] = nil
            waiter.continuation.resume(returning: true)
        }
        return answered(request)
    }

    private mutating func answered(_ request: ProgramRequest) -> [Change] {
        unanswered.answered(request)
        return end([request.id])
    }

    /// Ends the requests whose time is over.
    mutating func expire(at now: ContinuousClock.Instant) -> [Change] {
        passed(waiting.filter { $0.end <= now }.map(\.id))
    }

    /// A program took its requests back.
    mutating func drop(_ program: Program) -> [Change] {
        passed(waiting.filter { $0.program == program }.map(\.id))
    }

    /// Ends all requests and all waits. Refusals stay.
    mutating func clear() -> [Change] {
        let changes = end(waiting.map(\.id))
        for number in waiters.keys { stopWaiting(number) }
        return changes
    }

    /// The person entered the PIN.
    mutating func entered() { unanswered.entered() }

    /// Ends requests that the person did not answer.
    private mutating func passed(_ ids: [String]) -> [Change] {
        unanswered.passed(ids)
        return end(ids)
    }

    private mutating func end(_ ids: [String]) -> [Change] {
        for id in ids {
            unanswered.forget(id)
            waiting.removeAll { $0.id == id }
            for (number, waiter) in waiters where waiter.request == id { waiters[number]?.request = nil }
        }
        return ids.map { .gone(id: $0) }
    }

    // MARK: Waiting for the answer

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
}
