import Basics
import FoundationEssentials

/// An event as JSON: `event` with its name, `at`, and a member for the payload of its kind (`authorization`,
/// `renamedTo`, `decision`, `failure`, `connection`, `banks`, `waiting`).
extension Event: Codable {
    /// The wire name of a kind of event.
    package enum Name: String, Codable, Sendable {
        case added, changed, removed, decided, failure, recovered, heard, locked, unlocked, waiting
    }

    package var name: Name {
        switch kind {
        case .added: .added
        case .changed: .changed
        case .removed: .removed
        case .decided: .decided
        case .failure: .failure
        case .recovered: .recovered
        case .heard: .heard
        case .locked: .locked
        case .unlocked: .unlocked
        case .waiting: .waiting
        }
    }

    private enum CodingKeys: CodingKey {
        case event, at, authorization, renamedTo, decision, failure, connection, banks, waiting
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(name, forKey: .event)
        try members.encode(Timestamp(at), forKey: .at)
        switch kind {
        case .added(let card), .changed(let card): try members.encode(card, forKey: .authorization)
        case .removed(let card, let reference):
            try members.encode(card, forKey: .authorization)
            try members.encodeIfPresent(reference, forKey: .renamedTo)
        case .decided(let decision): try members.encode(decision, forKey: .decision)
        case .failure(let failure): try members.encode(failure, forKey: .failure)
        case .recovered(let connection): try members.encode(connection, forKey: .connection)
        case .heard(let banks): try members.encode(banks, forKey: .banks)
        case .locked, .unlocked: break
        case .waiting(let count): try members.encode(count, forKey: .waiting)
        }
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let at = try members.decode(Timestamp.self, forKey: .at).date
        let kind: Kind =
            switch try members.decode(Name.self, forKey: .event) {
            case .added: .added(try members.decode(Card.self, forKey: .authorization))
            case .changed: .changed(try members.decode(Card.self, forKey: .authorization))
            case .removed:
                .removed(
                    try members.decode(Card.self, forKey: .authorization),
                    renamedTo: try members.decodeIfPresent(String.self, forKey: .renamedTo))
            case .decided: .decided(try members.decode(DecisionPayload.self, forKey: .decision))
            case .failure: .failure(try members.decode(BankFailurePayload.self, forKey: .failure))
            case .recovered: .recovered(connection: try members.decode(String.self, forKey: .connection))
            case .heard: .heard(try members.decode([BankContactPayload].self, forKey: .banks))
            case .locked: .locked
            case .unlocked: .unlocked
            case .waiting: .waiting(try members.decode(Int.self, forKey: .waiting))
            }
        self.init(kind, at: at)
    }
}
