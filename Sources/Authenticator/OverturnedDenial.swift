public import SCA

/// What was denied on this computer reads confirmed at the bank. Either the bank is at odds with itself, or somebody used the signed
/// denial as an approval.
public struct OverturnedDenial: Error, Sendable {
    public var entry: DecisionEntry

    public init(entry: DecisionEntry) {
        self.entry = entry
    }
}

extension Inbox {
    /// Denials of ours, also such as were settled before, that this list says are confirmed. Each is written down, and returned
    /// once.
    func overturned(
        of connection: Connection, by list: AuthorizationList, besides known: [DecisionEntry]
    ) throws -> [DecisionEntry] {
        let confirmed = Set(list.settled.filter { $0.value == .confirmed }.keys)
        guard !confirmed.isEmpty else { return [] }
        let ours = try session.log.entries().filter {
            $0.shown.connection == connection.guid && confirmed.contains($0.shown.id)
        }
        // The last word counts: who was refused a denial may have approved it after.
        let last = Dictionary(ours.map { ($0.shown.id, $0) }, uniquingKeysWith: { _, last in last })
        return try last.values.sorted { $0.sequence < $1.sequence }.filter { entry in
            guard entry.verdict == .deny, !entry.isOverturned,
                !known.contains(where: { $0.sequence == entry.sequence })
            else { return false }
            try session.log.resolve(entry.sequence, .overturned, at: session.clock.now())
            return true
        }
    }
}
