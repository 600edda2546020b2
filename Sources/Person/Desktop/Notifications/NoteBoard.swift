/// Knows which notes are wanted and which ones the server shows, and returns the next steps. Does no I/O.
///
/// For each key at most one call is running. When it returns, the board compares the shown note with the note that is
/// wanted by then.
struct NoteBoard {
    enum Effect: Equatable {
        /// Look for a server, then call `serverCame` or `noServer`.
        case findServer
        /// Show a note, in place of the one with this id unless that is 0; then call `sent` or `failed`.
        case send(key: String, Note, replacing: UInt32)
        case withdraw(UInt32)
        /// Inform all callers that wait for this key whether its note is shown.
        case answer(key: String, shown: Bool)
        case tell(NotifierEvent)
        /// Call `again` after a pause, which is longer the more often the server dropped this note.
        case wait(key: String, drops: Int)
    }

    /// The specification's number for a notification that the person closed.
    private static let dismissedByPerson: UInt32 = 2

    private struct Entry {
        var place: Int
        var wanted: Note?
        var shown: (id: UInt32, note: Note)?
        var sending: (note: Note, server: Int?)?
        /// How often the server dropped it.
        var drops = 0
        /// Whether the server dropped it, and it waits to be shown again.
        var isPausing = false
    }
    private var entries: [String: Entry] = [:]
    /// The number of the server that is there now; nil while there is none.
    private var server: Int?
    private var servers = 0
    private var places = 0
    /// Signals for ids that were not known yet while a call was running. A call's reply, which names the id, may come
    /// later than signals about that id.
    private var early: [EarlySignal] = []

    private enum EarlySignal {
        case action(id: UInt32, String)
        case closed(id: UInt32, reason: UInt32)
    }
    private static let mostEarlySignals = 64

    var hasServer: Bool { server != nil }

    /// All keys, in the order in which their notes were first shown.
    var keys: [String] { entries.sorted { $0.value.place < $1.value.place }.map(\.key) }

    mutating func show(_ key: String, _ note: Note) -> [Effect] {
        if entries[key] == nil {
            places += 1
            entries[key] = Entry(place: places)
        }
        entries[key]?.wanted = note
        entries[key]?.isPausing = false
        return step(key)
    }

    /// Replaces the note of this key. Does nothing if the person closed it.
    mutating func update(_ key: String, _ note: Note) -> [Effect] {
        guard entries[key] != nil else { return [.answer(key: key, shown: true)] }
        entries[key]?.wanted = note
        return step(key)
    }

    mutating func close(_ key: String) -> [Effect] {
        guard entries[key] != nil else { return [] }
        entries[key]?.wanted = nil
        return [.answer(key: key, shown: false)] + step(key)
    }

    /// Closes the note of this key, unless another note than this one is wanted by now.
    mutating func close(_ key: String, showing note: Note) -> [Effect] {
        entries[key]?.wanted == note ? close(key) : []
    }

    mutating func closeAll() -> [Effect] { keys.flatMap { close($0) } }

    /// A server is there, the first or a new one, which shows none of our notes yet.
    mutating func serverCame() -> [Effect] {
        servers += 1
        server = servers
        forgetShown()
        return keys.flatMap { step($0) }
    }

    mutating func serverWent() {
        server = nil
        forgetShown()
    }

    /// No server was found. Notes stay wanted, for a server that comes later.
    mutating func noServer() -> [Effect] {
        keys.filter { entries[$0]?.sending == nil }.map { .answer(key: $0, shown: false) }
    }

    mutating func sent(_ key: String, id: UInt32) -> [Effect] {
        guard let sending = entries[key]?.sending else { return [] }
        guard id != 0 else { return failed(key) }
        entries[key]?.sending = nil
        // The server that showed it may be gone, and then the id means nothing.
        if sending.server == server {
            for other in keys where entries[other]?.shown?.id == id { entries[other]?.shown = nil }
            entries[key]?.shown = (id, sending.note)
        }
        // Early signals come last, so that a note which the server closes at once is not sent to it again and again.
        return step(key) + replayEarlySignals()
    }

    mutating func failed(_ key: String) -> [Effect] {
        guard let sending = entries[key]?.sending else { return [] }
        entries[key]?.sending = nil
        if sending.server != server { return step(key) + replayEarlySignals() }
        // The note that should have been replaced must not stay.
        let old = entries[key]?.shown.map { [Effect.withdraw($0.id)] } ?? []
        entries[key]?.shown = nil
        let isAnswer = entries[key]?.wanted == sending.note
        return old + (isAnswer ? [.answer(key: key, shown: false)] : step(key)) + replayEarlySignals()
    }

    mutating func actionInvoked(id: UInt32, _ name: String) -> [Effect] {
        guard let key = key(of: id) else { return keep(.action(id: id, name)) }
        // Both the note that the person saw and the note that is wanted by now must offer the action.
        guard let entry = entries[key], let seen = entry.shown?.note,
            let action = NotificationServer.action(named: name, of: seen), seen.actions.contains(action),
            entry.wanted?.actions.contains(action) == true
        else { return [] }
        return [.tell(.pressed(action, key, tag: seen.tag))]
    }

    mutating func closed(id: UInt32, reason: UInt32) -> [Effect] {
        guard let key = key(of: id), let entry = entries[key] else { return keep(.closed(id: id, reason: reason)) }
        entries[key]?.shown = nil
        // Another note for this key is being sent, and the person has not dismissed that one.
        guard entry.sending == nil else { return [] }
        guard entry.wanted?.stay != .lasting || reason == Self.dismissedByPerson else {
            entries[key]?.drops += 1
            entries[key]?.isPausing = true
            return [.wait(key: key, drops: entry.drops + 1)]
        }
        // The person dismissed it, or chose an action, which many servers report in the same way. It is not shown again
        // unless `show` is called.
        entries[key] = nil
        return [.tell(.left(key))]
    }

    /// The pause after this many drops is over.
    mutating func again(_ key: String, drops: Int) -> [Effect] {
        guard let entry = entries[key], entry.isPausing, entry.drops == drops else { return [] }
        entries[key]?.isPausing = false
        return step(key)
    }

    private mutating func keep(_ signal: EarlySignal) -> [Effect] {
        if entries.values.contains(where: { $0.sending != nil }), early.count < Self.mostEarlySignals {
            early.append(signal)
        }
        return []
    }

    /// Handles the signals that came early. Those for ids that are still unknown are kept while another call is
    /// running.
    private mutating func replayEarlySignals() -> [Effect] {
        let signals = early
        early = []
        return signals.flatMap { signal in
            switch signal {
            case .action(let id, let name): actionInvoked(id: id, name)
            case .closed(let id, let reason): closed(id: id, reason: reason)
            }
        }
    }

    private func key(of id: UInt32) -> String? { entries.first { $0.value.shown?.id == id }?.key }

    private mutating func forgetShown() {
        early = []
        for key in keys {
            entries[key]?.shown = nil
            entries[key]?.drops = 0
            entries[key]?.isPausing = false
            if entries[key]?.wanted == nil, entries[key]?.sending == nil { entries[key] = nil }
        }
    }

    /// Returns the next steps until the server shows the wanted note.
    private mutating func step(_ key: String) -> [Effect] {
        guard let entry = entries[key], entry.sending == nil else { return [] }
        guard let wanted = entry.wanted else {
            entries[key] = nil
            return entry.shown.map { [.withdraw($0.id)] } ?? []
        }
        if entry.isPausing { return [] }
        guard hasServer else { return [.findServer] }
        if entry.shown?.note == wanted { return [.answer(key: key, shown: true)] }
        entries[key]?.sending = (wanted, server)
        return [.send(key: key, wanted, replacing: entry.shown?.id ?? 0)]
    }
}
