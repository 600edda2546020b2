/// A group of events that a watcher gets only if it asked for them.
struct EventTopic: Hashable {
    let name: String

    init(_ name: String) { self.name = name }
}
