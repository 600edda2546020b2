import Approvals
import Basics
import FoundationEssentials

/// One line of `watch --json`: the event, its time, and the members of its subject.
struct WatchPayload: Encodable {
    private let event: Event
    private let now: Date

    /// Nil for events without a line: their effect shows in the events of the requests.
    init?(_ event: Event, now: Date) {
        switch event.kind {
        case .added, .changed, .removed, .decided, .failure, .locked: break
        case .recovered, .heard, .unlocked, .waiting: return nil
        }
        self.event = event
        self.now = now
    }

    private enum CodingKeys: String, CodingKey { case event, at, renamedTo }

    /// The `at` of a decision replaces the event's.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(event.name, forKey: .event)
        try container.encode(Timestamp(event.at), forKey: .at)
        switch event.kind {
        case .added(let card), .changed(let card): try AuthorizationPayload(card: card, now: now).encode(to: encoder)
        case .removed(let card, let reference):
            try container.encodeIfPresent(reference, forKey: .renamedTo)
            try AuthorizationPayload(card: card, now: now).encode(to: encoder)
        case .decided(let decision): try decision.encode(to: encoder)
        case .failure(let failure): try failure.encode(to: encoder)
        case .recovered, .heard, .locked, .unlocked, .waiting: break
        }
    }

    /// Writes the line at once.
    func print() throws { try Terminal.result(Options.json(self) + "\n") }
}
