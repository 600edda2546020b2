/// One message bus, and what we listen to on it. It is connected to as soon as it is there, and again after it was gone.
actor MessageBus {
    private let address: BusAddress
    private nonisolated let thread: BusThread
    private let retryAfter: Duration
    private let patience: Duration

    private enum State {
        /// Connecting, for the first time or again after a loss, with the callers that wait for it.
        case connecting([CheckedContinuation<Void, Never>])
        case connected(BusConnection)
        /// Until the timer begins the next attempt.
        case absent(BusThread.Timer)
    }
    private var state = State.connecting([])
    /// Counts connections, so that a late word from an old one is told apart.
    private var generation = 0
    private var watched: [Watched] = []

    private struct Watched {
        var service: BusService
        var tell: @Sendable (BusEvent) -> Void
        /// The unique name behind the service now.
        var owner: String?
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Where there is no bus, one is looked for again each `retryAfter`; a bus has `patience` to let us in.
    init(_ address: BusAddress, on thread: BusThread, retryAfter: Duration, patience: Duration = .seconds(5)) {
        self.address = address
        self.thread = thread
        self.retryAfter = retryAfter
        self.patience = patience
        thread.post { [weak self] in self?.assumeIsolated { $0.connect() } }
    }

    /// Tells what happens to a service from now on, on the D-Bus thread: `appeared` when it is there, and so again after
    /// the bus or the service was gone. Of its signals only those that its owner sent.
    func watch(_ service: BusService, _ tell: @escaping @Sendable (BusEvent) -> Void) {
        watched.append(Watched(service: service, tell: tell))
        if case .connected(let connection) = state { attach(watched.count - 1, to: connection) }
    }

    /// Calls a method; starts no service. Waits for a connection that is being made, not for one that could come later.
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
            // The bus is the owner of its own name: when that goes, so did the bus.
            connection.watch("org.freedesktop.DBus") { [weak self] owner in
                if owner == nil { self?.assumeIsolated { $0.lost(now) } }
            }
            for index in watched.indices { attach(index, to: connection) }
        } else {
            state = .absent(retryTimer())
        }
        for waiter in waiting { waiter.resume() }
    }

    private func retryTimer() -> BusThread.Timer {
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
