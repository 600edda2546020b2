/// The session's and the system's message bus (D-Bus), for `DesktopSignals` and `Notifier`.
///
/// Neither bus has to be there. One that is missing or goes away is looked for again every 15 seconds, and everything that
/// was listened to is then listened to again. Connections are our own, so what happens to them is nobody else's concern.
/// All work is done on one thread, which ends with the last reference.
public final class DesktopBus: Sendable {
    let thread = BusThread()
    let session: MessageBus
    let system: MessageBus

    public convenience init(session: BusAddress = .session, system: BusAddress = .system) {
        self.init(session: session, system: system, retryAfter: .seconds(15))
    }

    init(session: BusAddress, system: BusAddress, retryAfter: Duration) {
        self.session = MessageBus(session, on: thread, retryAfter: retryAfter)
        self.system = MessageBus(system, on: thread, retryAfter: retryAfter)
    }
}
