/// One message bus, and the services that are watched on it. Connects as soon as there is a bus, and again after it was
/// gone.
actor MessageBus {
    private let address: BusAddress
    private nonisolated let thread: BusThread
    private let retryAfter: Duration
    private let patience: Duration

    private enum State {
        /// Connecting, for the first time or again after a loss, with the callers that wait for it.
        case connecting([CheckedContinuation<Void, Never>])
        case connected(BusConnection)
        /// No bus; the timer begins the next attempt.
        case absent(BusThread.EventSource)
    }
    private var state = State.connecting([])
    /// Counts connections, so that a late callback of an old one can be ignored.
    private var generation = 0
    private var watched: [Watched] = []

    private struct Watched {
        var service: BusService
        var tell: @Sendable (BusEvent) -> Void
        /// The unique name of the service's owner now.
        var owner: String?
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// `retryAfter`: how long after a failed attempt the next one begins. `patience`: how long an attempt may take.
    init(_ address: BusAddress, on thread: BusThread, retryAfter: Duration, patience: Duration = .seconds(5)) {
        self.address = address
        self.thread = thread
        self.retryAfter = retryAfter
        self.patience = patience
        thread.post { [weak self] in self?.assumeIsolated { $0.connect() } }
    }

    /// Calls `tell` on the D-Bus thread for each event of a service from now on: `appeared` when it is there, and again
    /// after the bus or the service was gone. Signals are passed on only when the owner of the service's name sent
    /// them.
    func watch(_ service: BusService, _ tell: @escaping @Sendable (BusEvent) -> Void) {
        watched.append(Watched(service: service, tell: tell))
        if case .connected(let connection) = state { attach(watched.count - 1, to: connection) }
    }

    /// Calls a method; does not start the service. Waits for a connection that is being made, and throws `noBus`
    /// without one.
    func call(_ call: BusCall) async throws(BusError) -> BusReply {
        if case .connecting(let others) = state {
            await withCheckedContinuation { state = .connecting(others + [$0]) }
        }
        guard case .connected(let connection) = state else { throw .noBus }
        return try await connection.call(call)
    }

    private func connect() {
        if case .absent = state { state = .connecting([]) }
        Task {
            var connection: BusConnection?
            if let text = address.text {
                connection = await BusConnection.open(text, on: thread, patience: patience)
            }
            attempted(connection)
        }
    }

    private func attempted(_ connection: BusConnection?) {
        guard case .connecting(let waiting) = state else { return }
        if let connection {
            generation += 1
            state = .connected(connection)
            let now = generation
            // The bus owns this name itself: when the name has no owner, the bus is gone.
            connection.watch("org.freedesktop.DBus") { [weak self] owner in
                if owner == nil { self?.assumeIsolated { $0.lost(now) } }
            }
            for index in watched.indices { attach(index, to: connection) }
        } else {
            state = .absent(retryTimer())
        }
        for waiter in waiting { waiter.resume() }
    }

    private func retryTimer() -> BusThread.EventSource {
        thread.after(retryAfter) { [weak self] in self?.assumeIsolated { $0.connect() } }
    }

    private func lost(_ lost: Int) {
        guard lost == generation, case .connected = state else { return }
        state = .absent(retryTimer())
        for index in watched.indices { ownerChanged(of: index, to: nil, lost) }
    }

    private func attach(_ index: Int, to connection: BusConnection) {
        let service = watched[index].service
        let now = generation
        connection.watch(service.name) { [weak self] owner in
            self?.assumeIsolated { $0.ownerChanged(of: index, to: owner, now) }
        }
        for signal in service.signals {
            connection.subscribe(to: signal, of: service.name) { [weak self] sender, signal in
                self?.assumeIsolated { $0.received(signal, from: sender, for: index, now) }
            }
        }
    }

    private func ownerChanged(of index: Int, to owner: String?, _ generation: Int) {
        guard generation == self.generation, owner != watched[index].owner else { return }
        watched[index].owner = owner
        watched[index].tell(owner.map { .appeared(owner: $0) } ?? .vanished)
    }

    private func received(_ signal: BusSignal, from sender: String, for index: Int, _ generation: Int) {
        guard generation == self.generation, sender == watched[index].owner else { return }
        watched[index].tell(.signal(signal))
    }
}
