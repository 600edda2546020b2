import CSecret

/// A private connection to one bus. It is used on the D-Bus thread only, and its callbacks run there.
final class BusConnection {
    /// One reference, given back in deinit.
    private let connection: OpaquePointer
    private var watches: [guint] = []
    private var subscriptions: [guint] = []

    /// Kept until the connection is closed, which happens on this thread after deinit.
    private let thread: BusThread

    private init(owning connection: OpaquePointer, on thread: BusThread) {
        self.connection = connection
        self.thread = thread
        // Otherwise GIO would end the process when the bus goes away.
        glib().g_dbus_connection_set_exit_on_close(connection, 0)
    }

    deinit {
        // Closed on its thread, which runs on until that is done. Otherwise callbacks that GDBus still has to make, and
        // their data, would never be freed.
        let closing = Closing(connection: connection, watches: watches, subscriptions: subscriptions)
        let thread = thread
        thread.post { closing.begin(on: thread) }
    }

    /// A connection that is being closed, with our reference to it.
    private struct Closing: @unchecked Sendable {
        // Unchecked because of the pointer: a GDBusConnection may be used from any thread, and this one is used once.
        let connection: OpaquePointer
        let watches: [guint]
        let subscriptions: [guint]

        func begin(on thread: BusThread) {
            for watch in watches { glib().g_bus_unwatch_name(watch) }
            for subscription in subscriptions { glib().g_dbus_connection_signal_unsubscribe(connection, subscription) }
            // The callback is called once and releases the box, and with it the thread.
            glib().g_dbus_connection_close(
                connection, nil, { _, _, data in Box<BusThread>.release(data) }, Box(thread).retained())
            glib().g_object_unref(UnsafeMutableRawPointer(connection))
        }
    }

    /// Connects to a bus and registers with it; nil when that fails or takes longer than `patience`. Call it on the
    /// D-Bus thread.
    static func open(
        _ address: String, on thread: BusThread, patience: Duration, isolation: isolated (any Actor)? = #isolation
    ) async -> BusConnection? {
        typealias Done = CheckedContinuation<Opened?, Never>
        let limit = Limit()
        let timer = thread.after(patience) { limit.reach() }
        defer { withExtendedLifetime(timer) {} }
        let opened = await withCheckedContinuation { (done: Done) in
            let flags = GDBusConnectionFlags(
                rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                    | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
            // The callback is called once and releases the box; GIO copies the text.
            glib().g_dbus_connection_new_for_address(
                address, flags, nil, limit.cancellable,
                { _, result, data in
                    let connection = glib().g_dbus_connection_new_for_address_finish(result, nil)
                    Box<Done>.take(data).resume(returning: connection.map(Opened.init))
                }, Box(done).retained())
        }
        return opened.map { BusConnection(owning: $0.connection, on: thread) }
    }

    /// A new connection with its only reference, on the way from the callback to `open`.
    private struct Opened: @unchecked Sendable {
        // Unchecked because of the pointer: a GDBusConnection may be used from any thread.
        let connection: OpaquePointer
    }

    /// Calls `changed` with the unique name of the owner, now and whenever the name gets another owner, and with nil
    /// when it has none. `changed` is called before any signal of the new owner is delivered.
    func watch(_ name: String, _ changed: @escaping @Sendable (String?) -> Void) {
        typealias Changed = @Sendable (String?) -> Void
        // The watch owns the box and releases it. The owner's name is valid during the callback and is copied.
        let watch = glib().g_bus_watch_name_on_connection(
            connection, name, G_BUS_NAME_WATCHER_FLAGS_NONE,
            { _, _, owner, data in Box<Changed>.content(of: data)(owner.map { String(cString: $0) }) },
            { _, _, data in Box<Changed>.content(of: data)(nil) },
            Box<Changed>(changed).retained(), { Box<Changed>.release($0) })
        watches.append(watch)
    }

    /// Calls `received` with the sender's unique name and the signal. The bus delivers broadcasts of the owner of
    /// `name` only; but any process may send a signal straight to us, so the receiver has to check the sender.
    func subscribe(
        to signal: BusService.Signal, of name: String, _ received: @escaping @Sendable (String, BusSignal) -> Void
    ) {
        typealias Received = @Sendable (String, BusSignal) -> Void
        // The subscription owns the box and releases it.
        let subscription = glib().g_dbus_connection_signal_subscribe(
            connection, name, signal.interface, signal.member, nil, signal.firstArgument, G_DBUS_SIGNAL_FLAGS_NONE,
            { _, sender, path, interface, member, arguments, data in
                // All of these are valid during the callback and are copied.
                guard let sender, let path, let interface, let member, let arguments else { return }
                let signal = BusSignal(
                    path: String(cString: path), interface: String(cString: interface),
                    member: String(cString: member), arguments: BusValue(arguments).list ?? [])
                Box<Received>.content(of: data)(String(cString: sender), signal)
            }, Box<Received>(received).retained(), { Box<Received>.release($0) })
        subscriptions.append(subscription)
    }

    /// Whether the bus has closed the connection.
    var isClosed: Bool { glib().g_dbus_connection_is_closed(connection) != 0 }

    /// Calls a method and waits for its reply.
    func call(_ call: BusCall, isolation: isolated (any Actor)? = #isolation) async throws(BusError) -> BusReply {
        typealias Answer = Result<BusReply, BusError>
        typealias Done = CheckedContinuation<Answer, Never>
        let answer = await withCheckedContinuation { (done: Done) in
            let milliseconds = Int32(min(max(call.patience / .milliseconds(1), 1), Double(Int32.max)))
            // The callback is called once and releases the box. GIO copies the texts and takes over the floating tuple.
            glib().g_dbus_connection_call_with_unix_fd_list(
                connection, call.service, call.path, call.interface, call.method, call.arguments.tuple, nil,
                G_DBUS_CALL_FLAGS_NO_AUTO_START, milliseconds, nil, nil,
                { source, result, data in
                    let answer = BusConnection.answer(OpaquePointer(source), result)
                    Box<Done>.take(data).resume(returning: answer)
                }, Box(done).retained())
        }
        return try answer.get()
    }

    private static func answer(_ connection: OpaquePointer?, _ result: OpaquePointer?) -> Result<BusReply, BusError> {
        var error: UnsafeMutablePointer<GError>?
        var list: UnsafeMutablePointer<GUnixFDList>?
        // We own the references to reply and list; the list is nil when no descriptor came.
        let reply = glib().g_dbus_connection_call_with_unix_fd_list_finish(connection, &list, result, &error)
        defer { if let list { glib().g_object_unref(list) } }
        guard let reply else { return .failure(BusError(owning: error)) }
        defer { glib().g_variant_unref(reply) }
        var descriptors: [OwnedDescriptor] = []
        if let list {
            for index in 0..<glib().g_unix_fd_list_get_length(list) {
                // A copy for us, close-on-exec; the list closes its own descriptor.
                let number = glib().g_unix_fd_list_get(list, index, nil)
                if number >= 0 { descriptors.append(OwnedDescriptor(owning: number)) }
            }
        }
        return .success(BusReply(values: BusValue(reply).list ?? [], descriptors: descriptors))
    }

    /// A GCancellable for a timer to cancel.
    private final class Limit: @unchecked Sendable {
        // Unchecked because of the pointer: a GCancellable may be cancelled from any thread, and the pointer never
        // changes. We own one reference, given back in deinit.
        let cancellable: UnsafeMutablePointer<GCancellable> = glib().g_cancellable_new()!

        func reach() { glib().g_cancellable_cancel(cancellable) }
        deinit { glib().g_object_unref(cancellable) }
    }
}
