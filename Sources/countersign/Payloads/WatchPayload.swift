import Authenticator
import FoundationEssentials
import SCA

/// One line of `watch --json`: what happened and when, with the members of the element that it is about.
struct WatchPayload: Encodable {
    private enum Element {
        case authorization(AuthorizationPayload)
        case decision(DecisionPayload)
        case failure(BankFailurePayload)
        case none
    }

    private let event: String
    private let at: String
    private let element: Element

    /// Nil for what has no line: that a bank answers again shows by its items.
    init?(_ event: WatchEvent, now: Date) {
        at = Timestamp.format(now)
        switch event {
        case .added(let item): (self.event, element) = ("added", .authorization(AuthorizationPayload(item, now: now)))
        case .changed(let item):
            (self.event, element) = ("changed", .authorization(AuthorizationPayload(item, now: now)))
        case .removed(let item):
            (self.event, element) = ("removed", .authorization(AuthorizationPayload(item, now: now)))
        case .decided(let item, let entry):
            (self.event, element) = ("decided", .decision(DecisionPayload(item.reference, entry)))
        case .failure(let connection, let error):
            (self.event, element) = ("failure", .failure(BankFailurePayload(connection.name, Failure(error))))
        case .recovered: return nil
        }
    }

    private init(locked now: Date) {
        (event, at, element) = ("locked", Timestamp.format(now), .none)
    }

    static func locked(at now: Date) -> WatchPayload { WatchPayload(locked: now) }

    private enum CodingKeys: String, CodingKey { case event, at }

    /// A decision's own `at`, when the bank had it, takes the place of the event's.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(event, forKey: .event)
        try container.encode(at, forKey: .at)
        switch element {
        case .authorization(let payload): try payload.encode(to: encoder)
        case .decision(let payload): try payload.encode(to: encoder)
        case .failure(let payload): try payload.encode(to: encoder)
        case .none: break
        }
    }

    /// Writes the line at once.
    func print() throws { try Terminal.result(GlobalOptions.json(self) + "\n") }
}
