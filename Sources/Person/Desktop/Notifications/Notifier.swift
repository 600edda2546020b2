/// Shows notifications on the desktop and reports the person's actions on them (org.freedesktop.Notifications).
///
/// A note has a key; a second note with the same key replaces the first. A note stays until it is closed or the person
/// dismisses it. When there is no server, or it goes away, notes are kept and shown when a server comes. An action of
/// the person counts only when the server that shows the note reports it, and when the note offers that action.
package actor Notifier {
    /// The sender of the notifications, as the desktop shows it.
    struct Sender: Sendable {
        /// The name that the desktop shows.
        var name: String
        /// The name of the desktop file without its ending; nil for none.
        var desktopEntry: String?
        /// The path of a picture, or the name of one in the desktop's theme.
        var icon: String
    }

    /// How the desktop names us.
    static let name = "Countersign"

    /// The events of notes. For one consumer; the stream ends with this actor.
    package nonisolated let events: AsyncStream<NotifierEvent>
    private nonisolated let continuation: AsyncStream<NotifierEvent>.Continuation
    private nonisolated let bus: DesktopBus
    private let sender: Sender
    private let patience: Duration

    private var board = NoteBoard()
    private var owner: String?
    private var server: NotificationServer?
    private var isSearching = false
    private var waiters: [Int: Waiter] = [:]
    private var waitersSoFar = 0
    /// The running calls for each key, counted. A call also waits until notes that it replaced are withdrawn.
    private var sends: [String: Int] = [:]
    private var timers: [Int: BusThread.EventSource] = [:]
    private var timersSoFar = 0

    /// A caller that waits until the note of a key is shown, or until no call for the key is running.
    private struct Waiter {
        enum Aim { case shown, settled }
        var key: String
        var aim: Aim
        var answer: CheckedContinuation<Bool, Never>
        var timer: BusThread.EventSource
    }

    /// How long a call waits for its reply, even when its caller no longer does. A note that a busy desktop shows late
    /// can still be closed then.
    private static let lateAnswers = Duration.seconds(120)
    /// The pauses before a note is shown again that the server dropped: after the first drop, the second and so on. The last pause
    /// applies to all later drops.
    private static let pauses: [Duration] = [.seconds(5), .seconds(10), .seconds(30), .seconds(60), .seconds(120)]
    /// After this time a short note is closed by us, on servers that would keep it in their history when it expires.
    private static let shortStay = Duration.seconds(8)

    package nonisolated var unownedExecutor: UnownedSerialExecutor { bus.thread.asUnownedSerialExecutor() }

    /// `desktopEntry` is the name of this program's desktop file without its ending, if there is one, and `icon` the path of its icon;
    /// without one, notes show a picture that all desktops have. No function here waits longer than `patience` for the server.
    package init(
        bus: DesktopBus, desktopEntry: String? = nil, icon: String? = nil, patience: Duration = .seconds(5)
    ) {
        (events, continuation) = AsyncStream.makeStream(of: NotifierEvent.self)
        self.bus = bus
        sender = Sender(name: Self.name, desktopEntry: desktopEntry, icon: icon ?? "dialog-password")
        self.patience = patience
        Task { [weak self] in await self?.listen() }
    }

    deinit { continuation.finish() }

    /// Shows `note` in place of the one shown under `key`. False when no server shows it, or none has answered in time.
    /// It is still shown when a server comes, unless it is closed before.
    ///
    /// `isWanted` is called on this actor, right before the note is shown. So once it returns false and `closeAll` was
    /// called, the note cannot appear any more.
    package func show(key: String, note: Note, where isWanted: @Sendable () -> Bool = { true }) async -> Bool {
        guard isWanted() else { return false }
        return await wait(for: key, .shown) { perform(board.show(key, note)) }
    }

    /// Like `show`, for a note that brings no news: shows nothing if the person dismissed the note that it replaces.
    package func update(key: String, note: Note, where isWanted: @Sendable () -> Bool = { true }) async {
        guard isWanted() else { return }
        _ = await wait(for: key, .shown) { perform(board.update(key, note)) }
    }

    /// Removes a note, if there is one. Returns when the server has done it, or when its time is over.
    package func close(key: String) async {
        await finish(perform(board.close(key)), [key])
    }

    /// Removes all notes, as `close(key:)` does.
    package func closeAll() async {
        let keys = board.keys
        await finish(perform(board.closeAll()), keys)
    }

    private func finish(_ withdrawals: [Task<Void, Never>], _ keys: [String]) async {
        for withdrawal in withdrawals { await withdrawal.value }
        // A note that is just being sent is removed when the server has answered.
        let waits = keys.map { key in
            Task { await wait(for: key, .settled) { if sends[key] == nil { answerAll(key, .settled, true) } } }
        }
        for wait in waits { _ = await wait.value }
    }

    /// Registers a waiter, runs `begin`, and waits for the answer; false when it does not come in time.
    private func wait(for key: String, _ aim: Waiter.Aim, _ begin: () -> Void) async -> Bool {
        waitersSoFar += 1
        let number = waitersSoFar
        return await withCheckedContinuation { answer in
            let timer = bus.thread.after(patience) { [weak self] in
                self?.assumeIsolated { $0.answer(number, false) }
            }
            waiters[number] = Waiter(key: key, aim: aim, answer: answer, timer: timer)
            begin()
        }
    }

    private func answerAll(_ key: String, _ aim: Waiter.Aim, _ answered: Bool) {
        for (number, waiter) in waiters where waiter.key == key && waiter.aim == aim { answer(number, answered) }
    }

    private func answer(_ number: Int, _ answered: Bool) {
        waiters.removeValue(forKey: number)?.answer.resume(returning: answered)
    }

    private func listen() async {
        await bus.session.watch(NotificationServer.service) { [weak self] event in
            self?.assumeIsolated { $0.happened(event) }
        }
    }

    private func happened(_ event: BusEvent) {
        switch event {
        case .appeared(let owner):
            forgetServer()
            self.owner = owner
            findServer()
        case .vanished: forgetServer()
        case .signal(let signal):
            guard server != nil, signal.arguments.count == 2, let id = signal.arguments[0].uint32 else { return }
            if signal.member == "ActionInvoked", let name = signal.arguments[1].string {
                perform(board.actionInvoked(id: id, name))
            } else if signal.member == "NotificationClosed", let reason = signal.arguments[1].uint32 {
                perform(board.closed(id: id, reason: reason))
            }
        }
    }

    private func forgetServer() {
        owner = nil
        server = nil
        board.serverWent()
    }

    /// Carries out the board's steps. Returns the calls that remove notes, for callers that wait for them.
    @discardableResult
    private func perform(_ effects: [NoteBoard.Effect]) -> [Task<Void, Never>] {
        var withdrawals: [Task<Void, Never>] = []
        for effect in effects {
            switch effect {
            case .findServer: findServer()
            case .send(let key, let note, let id):
                let server = server
                sends[key, default: 0] += 1
                Task { await send(key, note, replacing: id, to: server) }
            case .withdraw(let id):
                guard let server else { continue }
                withdrawals.append(Task { await withdraw(id, from: server) })
            case .answer(let key, let shown): answerAll(key, .shown, shown)
            case .tell(let event): continuation.yield(event)
            case .wait(let key, let drops):
                let pause = Self.pauses[min(drops, Self.pauses.count) - 1]
                after(pause) { $0.perform($0.board.again(key, drops: drops)) }
            }
        }
        return withdrawals
    }

    private func withdraw(_ id: UInt32, from server: NotificationServer) async {
        if server.keepsClosed {
            let call = server.notify(NotificationServer.blank, replacing: id, from: sender, patience: patience)
            _ = try? await bus.session.call(call)
        }
        _ = try? await bus.session.call(server.close(id, patience: patience))
    }

    private func after(_ pause: Duration, _ body: @escaping @Sendable (isolated Notifier) -> Void) {
        timersSoFar += 1
        let number = timersSoFar
        timers[number] = bus.thread.after(pause) { [weak self] in
            self?.assumeIsolated {
                $0.timers[number] = nil
                body($0)
            }
        }
    }

    private func send(_ key: String, _ note: Note, replacing id: UInt32, to server: NotificationServer?) async {
        var shown: UInt32?
        if let server {
            let call = server.notify(note, replacing: id, from: sender, patience: max(patience, Self.lateAnswers))
            shown = try? await bus.session.call(call).values.first?.uint32
        }
        for withdrawal in perform(shown.map { board.sent(key, id: $0) } ?? board.failed(key)) {
            await withdrawal.value
        }
        sends[key] = sends[key].flatMap { $0 > 1 ? $0 - 1 : nil }
        if sends[key] == nil { answerAll(key, .settled, true) }
        if shown != nil, note.stay == .short, server?.keepsClosed == true {
            after(Self.shortStay) { $0.perform($0.board.close(key, showing: note)) }
        }
    }

    /// Asks the bus to start a server when none is running, and then asks the server for its capabilities.
    private func findServer() {
        guard !isSearching else { return }
        isSearching = true
        Task {
            await search()
            isSearching = false
            if server != nil {
                perform(board.serverCame())
            } else {
                perform(board.noServer())
            }
        }
    }

    private func search() async {
        if owner == nil {
            // The bus announces the new owner, which sets `owner`, before it replies.
            _ = try? await bus.session.call(.start(NotificationServer.name, patience: patience))
        }
        // Asks again when another server took the name meanwhile.
        while let asked = owner {
            let call = NotificationServer.capabilities(of: asked, patience: patience)
            let reply = try? await bus.session.call(call)
            let information = try? await bus.session.call(
                NotificationServer.information(of: asked, patience: patience))
            guard asked == owner else { continue }
            guard let names = reply?.values.first?.list else { return }
            server = NotificationServer(
                owner: asked, capabilities: names.compactMap(\.string),
                name: information?.values.first?.string ?? "")
            return
        }
    }
}
