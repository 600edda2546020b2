public import FoundationEssentials
public import SCA

/// Turns what banks answer, poll by poll, into events: only what is new is told. It asks nobody and knows no clock.
public struct ListDiffer: Sendable {
    private struct State {
        var items: [BankID: Inbox.Item] = [:]
        /// How the bank fails; nil while it answers.
        var failure: String?
        /// What is told once of each item that cannot be opened, as long as it is listed.
        var faults: [ItemFault] = []
    }

    private var states: [ConnectionGUID: State] = [:]

    public init() {}

    /// Listed items that cannot be opened, as they were told, by connection.
    public var faults: [ConnectionGUID: [ItemFault]] { states.mapValues(\.faults).filter { !$0.value.isEmpty } }

    /// Takes one answer. A bank that fails keeps its items, since nothing is known of them, but for one that no longer knows
    /// the connection.
    public mutating func take(_ answer: Inbox.Answer, at now: Date) -> [WatchEvent] {
        var state = states[answer.connection.guid] ?? State()
        defer { states[answer.connection.guid] = state }
        switch answer.result {
        case .success(let list):
            let recovery = state.failure == nil ? [] : [WatchEvent.recovered(answer.connection)]
            state.failure = nil
            return recovery + Self.difference(list, of: answer.connection, &state, now)
        case .failure(let error):
            let failure = Self.kind(of: error)
            var events = failure == state.failure ? [] : [WatchEvent.failure(answer.connection, error)]
            state.failure = failure
            if (error as? BankError)?.code == .connectionGone {
                events += Self.ordered(state.items.values).map { .removed($0) }
                state.items = [:]
            }
            return events
        }
    }

    /// Forgets connections that are gone or inactive; what they had is removed.
    public mutating func keep(only connections: [Connection]) -> [WatchEvent] {
        let kept = Set(connections.filter { $0.status == .active }.map(\.guid))
        let gone = states.filter { !kept.contains($0.key) }
        states = states.filter { kept.contains($0.key) }
        return Self.ordered(gone.values.flatMap(\.items.values)).map { .removed($0) }
    }

    private static func difference(
        _ list: AuthorizationList, of connection: Connection, _ state: inout State, _ now: Date
    ) -> [WatchEvent] {
        let current = list.pending(at: now).map { Inbox.Item(connection: connection, authorization: $0) }
        let before = state.items
        state.items = Dictionary(current.map { ($0.authorization.id, $0) }, uniquingKeysWith: { _, last in last })
        var events: [WatchEvent] = []
        for item in ordered(before.values) where state.items[item.authorization.id] == nil {
            var item = item
            let listed = list.authorizations.first { $0.id == item.authorization.id }
            item.authorization.status =
                list.settled[item.authorization.id] ?? listed?.status ?? item.authorization.status
            events.append(.removed(item))
        }
        for item in ordered(state.items.values) {
            let old = before[item.authorization.id]?.authorization.fingerprint
            if old == nil { events.append(.added(item)) }
            if let old, old != item.authorization.fingerprint { events.append(.changed(item)) }
        }
        let known = state.faults
        state.faults = list.faults
        return events + list.faults.filter { !known.contains($0) }.map { .failure(connection, $0) }
    }

    /// Two failures are the same state when a program would branch on them alike.
    private static func kind(of error: any Error) -> String {
        (error as? BankError).map { "\($0.code)" } ?? "\(type(of: error))"
    }

    private static func ordered(_ items: some Sequence<Inbox.Item>) -> [Inbox.Item] {
        items.sorted(by: Inbox.Item.areInOrder)
    }
}
