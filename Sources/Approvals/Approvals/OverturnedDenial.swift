package import ApprovalModel

/// The bank shows a request as confirmed that was denied on this computer. Either the bank contradicts itself, or
/// somebody used the signed denial as an approval.
package struct OverturnedDenial: Error, Sendable {
    package var entry: DecisionEntry

    package init(entry: DecisionEntry) {
        self.entry = entry
    }
}

extension Inbox {
    /// Our denials, also settled ones, that this list shows as confirmed. Each is recorded, and so returned only once.
    func overturned(
        of connection: Connection, by list: AuthorizationList, besides known: [DecisionEntry]
    ) throws -> [DecisionEntry] {
        let confirmed = Set(list.settled.filter { $0.value == .confirmed }.keys)
        guard !confirmed.isEmpty else { return [] }
        let ours = try workspace.log.entries().filter {
            $0.shown.connection == connection.guid && confirmed.contains($0.shown.id)
        }
        // Only the last decision counts: after a refused denial, the person may have approved it.
        let last = Dictionary(ours.map { ($0.shown.id, $0) }, uniquingKeysWith: { _, last in last })
        return try last.values.sorted { $0.sequence < $1.sequence }.filter { entry in
            guard entry.verdict == .deny, !entry.isOverturned,
                !known.contains(where: { $0.sequence == entry.sequence })
            else { return false }
            try workspace.log.resolve(entry.sequence, .overturned, at: workspace.clock.now())
            return true
        }
    }
}
