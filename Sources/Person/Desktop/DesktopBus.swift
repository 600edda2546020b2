/// The session's and the system's message bus (D-Bus), for `DesktopSignals` and `Notifier`.
///
/// Neither bus has to exist. A bus that is missing or goes away is looked for again every 15 seconds, and its watches
/// are then restored. The connections are private, not GIO's shared ones, so no other code in this process can affect
/// them. All work is done on one thread, which ends with the last reference.
package final class DesktopBus: Sendable {
    let thread = BusThread()
    let session: MessageBus
    let system: MessageBus

    /// Begins to connect to both buses, without waiting for them.
    package convenience init(session: BusAddress = .session, system: BusAddress = .system) {
        self.init(session: session, system: system, retryAfter: .seconds(15))
    }

    package init(session: BusAddress, system: BusAddress, retryAfter: Duration) {
        self.session = MessageBus(session, on: thread, retryAfter: retryAfter)
        self.system = MessageBus(system, on: thread, retryAfter: retryAfter)
    }
}
