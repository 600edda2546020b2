import Glibc

/// Reports when the screen locks, the machine sleeps, the person logs out, and the network comes up.
///
/// Sources are the screen savers on the session bus, logind on the system bus, the processes that sessions depend on,
/// and the kernel's routes. A source that is missing is not an error. A signal counts only when the owner of the
/// service's name sent it, and one about a session only when the session is this user's.
package actor DesktopSignals {
    /// The events of the desktop. For one consumer; the stream ends with this actor.
    package nonisolated let events: AsyncStream<DesktopEvent>
    private nonisolated let continuation: AsyncStream<DesktopEvent>.Continuation
    private nonisolated let bus: DesktopBus
    private let uid: UInt32
    private let routes: RouteWatch?
    private var sessions = LoginSessions()
    /// Watches the leader (first process) of each session, by the session's path. A session whose leader has ended is
    /// over, although logind keeps it as long as any of its processes runs, such as this one.
    private var leaders: [String: ProcessEnd] = [:]
    /// The session that this process was started in, if it should end with that session.
    private let origin: SessionOrigin?
    private var originWatches: [ProcessEnd] = []
    private var sleep = SleepDelay()
    /// How many questions about sessions logind has not answered yet, and the signals that came meanwhile about unknown
    /// sessions.
    private var questions = 0
    private var held: [BusSignal] = []

    package nonisolated var unownedExecutor: UnownedSerialExecutor { bus.thread.asUnownedSerialExecutor() }

    /// Listens from now on. A screen that is locked already is reported as soon as the services answer. With `origin`,
    /// the end of one of its processes, or of the session bus, counts as the end of the session.
    package init(bus: DesktopBus, origin: SessionOrigin? = nil) {
        self.init(bus: bus, uid: getuid(), origin: origin)
    }

    init(bus: DesktopBus, uid: UInt32, origin: SessionOrigin?) {
        let (events, continuation) = AsyncStream.makeStream(of: DesktopEvent.self)
        self.events = events
        self.continuation = continuation
        self.bus = bus
        self.uid = uid
        self.origin = origin
        routes = RouteWatch { continuation.yield(.networkUp) }
        Task { [weak self] in await self?.listen() }
    }

    deinit { continuation.finish() }

    /// Answers `aboutToSleep`: the machine may sleep now. The next delay is requested when it has woken.
    package func readyToSleep() {
        sleep.ready()
    }

    private func listen() async {
        if let origin { await watch(origin) }
        await bus.system.watch(Logind.service) { [weak self] event in
            self?.assumeIsolated { $0.logind(event) }
        }
        for name in ScreenSavers.names {
            await bus.session.watch(ScreenSavers.service(name)) { [weak self] event in
                self?.assumeIsolated { $0.screenSaver(name, event) }
            }
        }
    }

    private func watch(_ origin: SessionOrigin) async {
        let display = origin.display.flatMap { process in
            ProcessEnd(of: process, on: bus.thread) { [weak self] in
                self?.assumeIsolated { $0.sessionEnded() }
            }
        }
        let terminal = origin.terminal.flatMap { process in
            ProcessEnd(of: process, on: bus.thread) { [weak self] in
                // When logind knows sessions, it reports their end. A terminal's window may be closed long before that.
                self?.assumeIsolated { if $0.sessions.isEmpty { $0.sessionEnded() } }
            }
        }
        originWatches = [display, terminal].compactMap { $0 }
        await bus.session.watch(BusService(name: "org.freedesktop.DBus", signals: [])) { [weak self] event in
            // The bus owns this name itself: when it vanishes, the bus is gone.
            if case .vanished = event { self?.assumeIsolated { $0.sessionEnded() } }
        }
    }

    private func sessionEnded() { continuation.yield(.sessionEnded) }

    private func screenSaver(_ name: String, _ event: BusEvent) {
        switch event {
        case .appeared:
            Task {
                let answer = try? await bus.session.call(ScreenSavers.isActive(name))
                if answer?.values.first?.bool == true { continuation.yield(.screenLocked) }
            }
        case .vanished: break
        case .signal(let signal):
            if let isActive = signal.arguments.first?.bool {
                continuation.yield(isActive ? .screenLocked : .personCame)
            }
        }
    }

    private func logind(_ event: BusEvent) {
        switch event {
        case .appeared:
            sleep = SleepDelay()
            Task { await delaySleep() }
            ask { await $0.meetSessions() }
        case .vanished: (sessions, leaders) = (LoginSessions(), [:])
        case .signal(let signal) where signal.interface == Logind.manager: manager(signal)
        case .signal(let signal): session(signal)
        }
    }

    /// Asks logind about sessions, and then handles the signals that came about unknown sessions before the answer.
    private func ask(_ question: @escaping @Sendable (isolated DesktopSignals) async -> Void) {
        questions += 1
        Task {
            await question(self)
            questions -= 1
            guard questions == 0 else { return }
            let signals = held
            held = []
            for signal in signals { signal.interface == Logind.manager ? manager(signal) : session(signal) }
        }
    }

    private func meetSessions() async {
        // logind is asked for the session of our process id: a service of the user manager is in no session.
        let own = try? await bus.system.call(Logind.call("GetSessionByPID", .uint32(UInt32(getpid()))))
        sessions.own = own?.values.first?.string
        let answer = try? await bus.system.call(Logind.call("ListSessions"))
        for row in answer?.values.first?.list ?? [] {
            // Columns: id, uid, user name, seat, object path.
            guard let columns = row.list, columns.count == 5, columns[1].uint32 == uid else { continue }
            if let path = columns[4].string { await meet(path) }
        }
    }

    /// Reads the properties of a session, and reports a lock if it is locked. `isNew`: a person has just logged in.
    private func meet(_ path: String, isNew: Bool = false) async {
        let asked = BusCall.properties(of: Logind.session, at: path, of: Logind.name)
        guard let answer = try? await bus.system.call(asked), let properties = answer.values.first?.dictionary else {
            return
        }
        guard let session = LoginSessions.Session(properties: properties, of: uid) else { return }
        guard properties["State"]?.string != Logind.closing else { return ended(path) }
        sessions.add(path, session)
        if let leader = properties["Leader"]?.uint32, leaders[path] == nil {
            leaders[path] = ProcessEnd(of: Int32(bitPattern: leader), on: bus.thread) { [weak self] in
                self?.assumeIsolated { $0.ended(path) }
            }
        }
        if properties["LockedHint"]?.bool == true {
            continuation.yield(.screenLocked)
        } else if isNew, session.isGraphical || session.isAtSeat {
            continuation.yield(.personCame)
        }
    }

    /// A session is over.
    private func ended(_ path: String) {
        leaders[path] = nil
        switch sessions.remove(path) {
        case .own: sessionEnded()
        case .other: continuation.yield(.loggingOut)
        case nil: break
        }
    }

    private func delaySleep() async {
        let answer = try? await bus.system.call(Logind.delaySleep)
        sleep.granted(answer?.descriptors.first)
    }

    private func manager(_ signal: BusSignal) {
        let arguments = signal.arguments
        switch signal.member {
        case "PrepareForSleep":
            guard let begins = arguments.first?.bool else { return }
            sleep.machine(sleeps: begins)
            continuation.yield(begins ? .aboutToSleep : .resumed)
            if !begins { Task { await delaySleep() } }
        case "PrepareForShutdown":
            if arguments.first?.bool == true { continuation.yield(.loggingOut) }
        case "SessionNew":
            guard arguments.count == 2, let path = arguments[1].string else { return }
            ask { await $0.meet(path, isNew: true) }
        case "SessionRemoved":
            guard arguments.count == 2, let path = arguments[1].string else { return }
            // The meaning of its end depends on the other sessions, so it waits until these are known.
            guard questions == 0 else { return held.append(signal) }
            ended(path)
        case "UserRemoved":
            if arguments.first?.uint32 == uid { sessionEnded() }
        default: break
        }
    }

    private func session(_ signal: BusSignal) {
        if hold(signal, of: signal.path) { return }
        guard sessions.contains(signal.path) else { return }
        switch signal.member {
        case "Lock": continuation.yield(.screenLocked)
        case "Unlock": continuation.yield(.personCame)
        case "PropertiesChanged":
            guard signal.arguments.count == 3, let changed = signal.arguments[1].dictionary else { return }
            // A program that blanks the screen may set only the idle hint.
            let hints = [changed["LockedHint"]?.bool, changed["IdleHint"]?.bool]
            if hints.contains(true) {
                continuation.yield(.screenLocked)
            } else if hints.contains(false) {
                continuation.yield(.personCame)
            }
            // Changes when the person switches to another session, and when the session ends.
            if changed["Active"] != nil {
                let path = signal.path
                ask { await $0.meet(path) }
            }
        default: break
        }
    }

    /// Keeps a signal about a session that may be known soon. Returns whether it was kept.
    private func hold(_ signal: BusSignal, of path: String) -> Bool {
        guard questions > 0, !sessions.contains(path) else { return false }
        held.append(signal)
        return true
    }
}
