package import Approvals

/// An event for a watcher.
package enum AgentEvent: Sendable {
    /// About the requests of banks, and about the lock.
    case approvals(Event)
    /// Only for a watcher that asked for these, too.
    case sessions(SessionEvent)

    /// The name on the wire.
    package var name: String {
        switch self {
        case .approvals(let event): event.name.rawValue
        case .sessions(let event): event.name.rawValue
        }
    }
}

extension AgentEvent: Codable {
    private enum CodingKeys: CodingKey { case event }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .approvals(let event): try event.encode(to: encoder)
        case .sessions(let event): try event.encode(to: encoder)
        }
    }

    package init(from decoder: any Decoder) throws {
        let name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .event)
        self =
            SessionEvent.Name(rawValue: name) == nil
            ? .approvals(try Event(from: decoder)) : .sessions(try SessionEvent(from: decoder))
    }
}
