import Glibc

/// Hears when the screen locks, the machine sleeps, the person logs out and the network comes.
///
/// Sources are the screen savers on the session bus, logind on the system bus, and the kernel's routes. Whatever is missing
/// tells nothing; none of it is an error. A signal counts only when the owner of the service's name sent it, and one of a
/// session only when the session is this user's.
public actor DesktopSignals {
    /// For one consumer. Ends with this actor.
    public nonisolated let events: AsyncStream<DesktopEvent>
    private nonisolated let continuation: AsyncStream<DesktopEvent>.Continuation
    private nonisolated let bus: DesktopBus
    private let uid: UInt32
    private let routes: RouteWatch?
    private var sessions = LoginSessions()
    private var sleep = SleepDelay()
    /// Lists of sessions and sessions that are being asked for, and what came meanwhile of sessions not known yet.
    private var questions = 0
    private var held: [BusSignal] = []

    public nonisolated var unownedExecutor: UnownedSerialExecutor { bus.thread.asUnownedSerialExecutor() }

    /// Listens from now on. What is locked already is told as soon as the services answer.
    public init(bus: DesktopBus) {
        self.init(bus: bus, uid: getuid())
    }

    init(bus: DesktopBus, uid: UInt32) {
        let (events, continuation) = AsyncStream.makeStream(of: DesktopEvent.self)
        self.events = events
        self.continuation = continuation
        self.bus = bus
        self.uid = uid
        routes = RouteWatch { continuation.yield(.networkUp) }
        Task { [weak self] in await self?.listen() }
    }

    deinit { continuation.finish() }

    /// The answer to `aboutToSleep`: the machine may sleep now. Another wait is asked for when it has woken.
    public func readyToSleep() {
        sleep.ready()
    }

    private func listen() async {
        await bus.system.watch(Logind.service) { [weak self] event in
            self?.assumeIsolated { $0.logind(event) }
        }
        for name in ScreenSavers.names {
            await bus.session.watch(ScreenSavers.service(name)) { [weak self] event in
                self?.assumeIsolated { $0.screenSaver(name, event) }
            }
        }
    }

    private func screenSaver(_ name: String, _ event: BusEvent) {
        switch event {
        case .appeared:
            Task {
                let answer = try? await bus.session.call(ScreenSavers.isActive(name))
                if answer?.values.first?.bool == true { continuation.yield(.screenLocked) }
            }
        case .vanished: break
        case .signal(let signal):
            if signal.arguments.first?.bool == true { continuation.yield(.screenLocked) }
        }
    }

    private func logind(_ event: BusEvent) {
        switch event {
        case .appeared:
            sleep = SleepDelay()
            Task { await delaySleep() }
            ask { await $0.meetSessions() }
        case .vanished: sessions = LoginSessions()
        case .signal(let signal) where signal.interface == Logind.manager: manager(signal)
        case .signal(let signal): session(signal)
        }
    }

    /// Asks about sessions, and then looks again at what came of unknown ones before the answer.
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
        // Our process is asked for by its number, for a service of the user is in no session.
        let own = try? await bus.system.call(Logind.call("GetSessionByPID", .uint32(UInt32(getpid()))))
        sessions.own = own?.values.first?.string
        let answer = try? await bus.system.call(Logind.call("ListSessions"))
        for row in answer?.values.first?.list ?? [] {
            // Id, uid, user name, seat, object path.
            guard let columns = row.list, columns.count == 5, columns[1].uint32 == uid else { continue }
            if let path = columns[4].string { await meet(path) }
        }
    }

    /// Gets to know a session, and tells when it is locked.
    private func meet(_ path: String) async {
        let asked = BusCall.properties(of: Logind.session, at: path, of: Logind.name)
        guard let answer = try? await bus.system.call(asked), let properties = answer.values.first?.dictionary else {
            return
        }
        guard let session = LoginSessions.Session(properties: properties, of: uid) else { return }
        sessions.add(path, session)
        if properties["LockedHint"]?.bool == true { continuation.yield(.screenLocked) }
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
            ask { await $0.meet(path) }
        case "SessionRemoved":
            guard arguments.count == 2, let path = arguments[1].string else { return }
            if hold(signal, of: path) { return }
            if sessions.remove(path) { continuation.yield(.loggingOut) }
        case "UserRemoved":
            if arguments.first?.uint32 == uid { continuation.yield(.loggingOut) }
        default: break
        }
    }

    private func session(_ signal: BusSignal) {
        if hold(signal, of: signal.path) { return }
        guard sessions.contains(signal.path) else { return }
        switch signal.member {
        case "Lock": continuation.yield(.screenLocked)
        case "PropertiesChanged":
            guard signal.arguments.count == 3, let changed = signal.arguments[1].dictionary else { return }
            if changed["LockedHint"]?.bool == true { continuation.yield(.screenLocked) }
        default: break
        }
    }

    /// Keeps for later what comes of a session that may be known soon.
    private func hold(_ signal: BusSignal, of path: String) -> Bool {
        guard questions > 0, !sessions.contains(path) else { return false }
        held.append(signal)
        return true
    }
}
