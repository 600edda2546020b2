import Approvals
import FoundationEssentials
import AgentWire

/// Events as the core sees them, which knows no job.
extension AgentEvent {
    static func locked(at date: Date) -> AgentEvent { .approvals(Event(.locked, at: date)) }
    static func unlocked(at date: Date) -> AgentEvent { .approvals(Event(.unlocked, at: date)) }

    /// Nil if every watcher gets it.
    var topic: EventTopic? { if case .sessions = self { .sessions } else { nil } }

    /// Whether earlier events may not be sent after it, unless they outlast a lock.
    var isLock: Bool { if case .approvals(let event) = self { event.name == .locked } else { false } }

    /// Whether it may still be sent after a lock. Sessions may be at hand for longer.
    var outlastsLock: Bool { topic == .sessions }

    /// Of the events with the same slot that wait for a watcher, only the newest counts. Nil if it replaces none.
    var slot: String? {
        switch self {
        case .approvals(let event): event.name == .heard ? event.name.rawValue : nil
        case .sessions(let event):
            switch event.kind {
            case .session(let name): "\(event.name.rawValue) \(name.text)"
            case .request(let id), .requestGone(let id): "\(event.name.rawValue) \(id)"
            }
        }
    }
}

extension EventTopic {
    static let sessions = EventTopic("sessions")
}
