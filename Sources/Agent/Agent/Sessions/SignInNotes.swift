import FoundationEssentials

/// Which notes say that a session must be signed in to again. They name no session, so a lock need not take them off the screen for good.
struct SignInNotes {
    enum Step {
        case show(id: String, since: Date)
        case close(id: String)
    }

    /// Since when each session must be signed in to again.
    private var wanted: [String: Date] = [:]
    /// The sessions whose notes must be shown or closed, in order.
    private var due: [String] = []

    mutating func want(_ id: String, since date: Date) {
        wanted[id] = date
        due.append(id)
    }

    mutating func retract(_ id: String) { if wanted.removeValue(forKey: id) != nil { due.append(id) } }

    /// The person put the note away: it is shown again only when it is wanted anew.
    mutating func dismiss(_ id: String) { wanted[id] = nil }

    /// The person used the note, and did not sign in.
    mutating func bringBack(_ id: String) { if wanted[id] != nil { due.append(id) } }

    /// The desktop is about to remove all notes.
    mutating func showAgain() { due = wanted.sorted { $0.value < $1.value }.map(\.key) }

    mutating func next() -> Step? {
        guard !due.isEmpty else { return nil }
        let id = due.removeFirst()
        due.removeAll { $0 == id }
        return wanted[id].map { .show(id: id, since: $0) } ?? .close(id: id)
    }
}
