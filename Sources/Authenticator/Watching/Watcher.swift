import SCA

/// Polls the banks of all connections and tells what changes.
public struct Watcher: Sendable {
    let session: Session

    public init(_ session: Session) {
        self.session = session
    }

    /// Polls until its task is cancelled; then it returns. Throws only when the connections cannot be read; banks that fail
    /// are events. Connections that come, go or are renamed meanwhile are noticed.
    public func run(_ emit: @Sendable (WatchEvent) -> Void) async throws {
        enum Wake: Sendable {
            case tick
            case answer(Inbox.Answer)
        }
        let inbox = Inbox(session)
        let clock = ContinuousClock()
        let pace = PollSchedule.Pace()
        var schedule = PollSchedule(at: clock.now, pace: pace)
        schedule.setAttention(true)
        var differ = ListDiffer()
        var connections: [ConnectionGUID: Connection] = [:]
        var reload = clock.now
        var sleepsUntil: ContinuousClock.Instant?
        try await withThrowingTaskGroup(of: Wake.self) { group in
            defer { group.cancelAll() }
            while !Task.isCancelled {
                if reload <= clock.now {
                    let all = try session.connections.connections()
                    connections = Dictionary(all.map { ($0.guid, $0) }, uniquingKeysWith: { first, _ in first })
                    schedule.follow(all, at: clock.now)
                    for event in completed(differ.keep(only: all)) { emit(event) }
                    reload = clock.now + pace.fastest
                }
                if let guid = schedule.take(at: clock.now), let connection = connections[guid] {
                    group.addTask { .answer(await inbox.ask(connection)) }
                }
                let next = min(schedule.next ?? reload, reload)
                if next < sleepsUntil ?? reload + .seconds(1) {
                    sleepsUntil = next
                    group.addTask {
                        try? await Task.sleep(until: next, tolerance: .zero, clock: clock)
                        return .tick
                    }
                }
                switch try await group.next() {
                case .answer(let answer) where !Task.isCancelled:
                    var error: (any Error)?
                    if case .failure(let failure) = answer.result { error = failure }
                    schedule.heard(
                        error, from: answer.connection.guid, at: clock.now, jitter: .random(in: 0...1))
                    for event in completed(differ.take(answer, at: session.clock.now())) { emit(event) }
                default:
                    sleepsUntil = nil
                }
            }
        }
    }

    /// One round: asks all banks once and tells what there is.
    public func round() async throws -> [WatchEvent] {
        var differ = ListDiffer()
        let answers = await Inbox(session).fetch(try session.connections.connections())
        return answers.flatMap { differ.take($0, at: session.clock.now()) }
    }

    /// Says of each item that left whether it was decided on this computer.
    private func completed(_ events: [WatchEvent]) -> [WatchEvent] {
        events.flatMap { event -> [WatchEvent] in
            guard case .removed(let item) = event else { return [event] }
            do {
                let entry = try session.log.entries().last { $0.shown.fingerprint == item.authorization.fingerprint }
                return (entry.map { [.decided(item, $0)] } ?? []) + [event]
            } catch {
                return [.failure(item.connection, error), event]
            }
        }
    }
}
