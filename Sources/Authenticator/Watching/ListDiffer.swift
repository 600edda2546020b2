public import FoundationEssentials
public import SCA

/// Turns what banks answer, poll by poll, into events: only what is new is told. It asks nobody and knows no clock.
public struct ListDiffer: Sendable {
    private struct State {
        var items: [BankID: Inbox.Item] = [:]
        /// When the bank answered last.
        var heard: Date?
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
    /// the connection; after ten minutes it keeps only those that tell when they expire.
    public mutating func take(_ answer: Inbox.Answer, at now: Date) -> [WatchEvent] {
        var state = states[answer.connection.guid] ?? State()
        defer { states[answer.connection.guid] = state }
        switch answer.result {
        case .success(let list):
            let recovery = state.failure == nil ? [] : [WatchEvent.recovered(answer.connection)]
            state.failure = nil
            state.heard = now
            return recovery + Self.difference(list, of: answer.connection, &state, now)
        case .failure(let error):
            let failure = Self.kind(of: error)
            var events = failure == state.failure ? [] : [WatchEvent.failure(answer.connection, error)]
            state.failure = failure
            if (error as? BankError)?.code == .connectionGone {
                events += Self.ordered(state.items.values).map { .removed($0) }
                state.items = [:]
            } else if let heard = state.heard, now.timeIntervalSince(heard) > Self.longestSilence {
                // Nobody would say when it was over.
                let timeless = state.items.filter { $0.value.authorization.expiresAt == nil }
                events += Self.ordered(timeless.values).map { .removed($0) }
                for id in timeless.keys { state.items[id] = nil }
            }
            return events
        }
    }

    /// Forgets connections that are gone; what they had is removed. So is what inactive ones had, and that their bank no longer
    /// knows them is told, unless the bank's own answer told it before. Of
    /// those that have another name it tells what waits there anew.
    public mutating func keep(only connections: [Connection]) -> [WatchEvent] {
        let kept = Set(connections.map(\.guid))
        var removed = states.filter { !kept.contains($0.key) }.values.flatMap(\.items.values)
        states = states.filter { kept.contains($0.key) }
        var ended: [WatchEvent] = []
        for connection in connections where connection.status == .inactive {
            let state = states.updateValue(State(failure: Self.ended), forKey: connection.guid)
            removed += state?.items.values.map { $0 } ?? []
            if state?.failure != Self.ended {
                ended.append(.failure(connection, LookupError(.inactive, wanted: connection.name.text)))
            }
        }
        let active = connections.filter(\.isKnownToBank)
        return Self.ordered(removed).map { .removed($0) } + ended + rename(active)
    }

    private mutating func rename(_ connections: [Connection]) -> [WatchEvent] {
        var (before, after): ([WatchEvent], [WatchEvent]) = ([], [])
        for connection in connections {
            guard let items = states[connection.guid]?.items,
                items.values.contains(where: { $0.connection.name != connection.name })
            else { continue }
            let renamed = items.mapValues { Inbox.Item(connection: connection, authorization: $0.authorization) }
            states[connection.guid]?.items = renamed
            before += Self.ordered(items.values).map { .renaming($0, to: connection.name) }
            after += Self.ordered(renamed.values).map { .renamed($0) }
        }
        return before + after
    }

    private static func difference(
        _ list: AuthorizationList, of connection: Connection, _ state: inout State, _ now: Date
    ) -> [WatchEvent] {
        let current = list.pending(at: now).map { Inbox.Item(connection: connection, authorization: $0) }
        let before = state.items
        state.items = Dictionary(current.map { ($0.authorization.id, $0) }, uniquingKeysWith: { _, last in last })
        var events: [WatchEvent] = []
        // Only what is told is put in order: the list may be long, and mostly nothing has changed.
        lazy var listed = Dictionary(
            list.authorizations.map { ($0.id, $0.status) }, uniquingKeysWith: { first, _ in first })
        for var item in ordered(before.values.filter({ state.items[$0.authorization.id] == nil })) {
            let id = item.authorization.id
            item.authorization.status = list.settled[id] ?? listed[id] ?? item.authorization.status
            events.append(.removed(item))
        }
        let news = state.items.values.filter {
            before[$0.authorization.id]?.authorization.fingerprint != $0.authorization.fingerprint
        }
        for item in ordered(news) {
            events.append(before[item.authorization.id] == nil ? .added(item) : .changed(item))
        }
        let known = Set(state.faults)
        state.faults = list.faults
        return events + list.faults.filter { !known.contains($0) }.map { .failure(connection, $0) }
    }

    /// Seconds for which an item that tells no time is taken to wait, though its bank is not heard.
    static let longestSilence = 600.0

    /// The bank no longer knows the connection.
    private static let ended = "ended"

    /// Two failures are the same state when a program would branch on them alike.
    private static func kind(of error: any Error) -> String {
        if (error as? BankError)?.code == .connectionGone || (error as? LookupError)?.code == .inactive { return ended }
        return (error as? BankError).map { "\($0.code)" } ?? "\(type(of: error))"
    }

    private static func ordered(_ items: some Sequence<Inbox.Item>) -> [Inbox.Item] {
        items.sorted(by: Inbox.Item.areInOrder)
    }
}
