package import FoundationEssentials
package import ApprovalModel

/// Turns the answers of banks, poll by poll, into events, one for each change. Calls nobody and knows no clock.
package struct ListDiffer: Sendable {
    private struct State {
        var items: [BankID: Inbox.Item] = [:]
        /// When the bank last answered.
        var heard: Date?
        /// How the bank fails; nil while it answers.
        var failure: String?
        /// The faults in the last list. Each is reported once, as long as it is listed.
        var faults: [ItemFault] = []
    }

    private var states: [ConnectionGUID: State] = [:]

    package init() {}

    /// The listed items that cannot be opened, as reported, by connection.
    package var faults: [ConnectionGUID: [ItemFault]] { states.mapValues(\.faults).filter { !$0.value.isEmpty } }

    /// Takes one answer. A bank that fails keeps its items, since nothing new is known about them; but not if it no
    /// longer knows the connection, and after ten minutes it keeps only items with an expiry.
    package mutating func take(_ answer: Inbox.Answer, at now: Date) -> [WatchEvent] {
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
            if (error as? BankError)?.kind == .connectionGone {
                events += Self.ordered(state.items.values).map { .removed($0) }
                state.items = [:]
            } else if let heard = state.heard, now.timeIntervalSince(heard) > Self.longestSilence {
                // These have no expiry, so nothing else would ever remove them.
                let timeless = state.items.filter { $0.value.authorization.expiresAt == nil }
                events += Self.ordered(timeless.values).map { .removed($0) }
                for id in timeless.keys { state.items[id] = nil }
            }
            return events
        }
    }

    /// Forgets connections that are gone, and removes their items. Removes the items of inactive connections too, and
    /// reports that their bank no longer knows them, unless the bank's own answer did so before. For renamed
    /// connections, reports the waiting items again.
    package mutating func keep(only connections: [Connection]) -> [WatchEvent] {
        let kept = Set(connections.map(\.guid))
        var removed = states.filter { !kept.contains($0.key) }.values.flatMap(\.items.values)
        states = states.filter { kept.contains($0.key) }
        var ended: [WatchEvent] = []
        for connection in connections where connection.status == .inactive {
            let state = states.updateValue(State(failure: Self.ended), forKey: connection.guid)
            removed += state?.items.values.map { $0 } ?? []
            if state?.failure != Self.ended {
                ended.append(.failure(connection, LookupError.inactive(connection.name.text)))
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
        // Only reported items are sorted: the list may be long, and usually nothing has changed.
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

    /// In seconds. How long an item without an expiry counts as waiting while its bank is silent.
    static let longestSilence = 600.0

    /// The kind of failure when the bank no longer knows the connection.
    private static let ended = "ended"

    /// The kind of a failure. Two failures of one kind are the same state, and reported once.
    private static func kind(of error: any Error) -> String {
        switch error {
        case LookupError.inactive: ended
        case let error as BankError:
            switch error.kind {
            case .connectionGone: ended
            // Whatever the obstacle.
            case .unreachable: "unreachable"
            case let kind: "\(kind)"
            }
        default: "\(type(of: error))"
        }
    }

    private static func ordered(_ items: some Sequence<Inbox.Item>) -> [Inbox.Item] {
        items.sorted(by: Inbox.Item.areInOrder)
    }
}
