import CSecret

/// The one thread for all D-Bus work: a GLib main loop, which is also the executor of the actors that use D-Bus.
///
/// It lives as long as something refers to it, as all of these actors do.
final class BusThread: SerialExecutor, @unchecked Sendable {
    // Unchecked because of the pointers: a GMainContext and a GMainLoop may be used from any thread (GLib's
    // documentation), and both are set once. We own one reference to each, given back in deinit. The thread has its own
    // reference to the loop, and the loop one to the context.
    private let context: OpaquePointer
    private let loop: OpaquePointer

    init() {
        context = glib().g_main_context_new()!
        loop = glib().g_main_loop_new(context, 0)!
        let thread = glib().g_thread_new(
            "desktop",
            { data in
                // This thread's own reference to the loop, given back when the loop has ended.
                let loop = OpaquePointer(data)
                let context = glib().g_main_loop_get_context(loop)
                glib().g_main_context_push_thread_default(context)
                glib().g_main_loop_run(loop)
                glib().g_main_context_pop_thread_default(context)
                glib().g_main_loop_unref(loop)
                return nil
            }, UnsafeMutableRawPointer(glib().g_main_loop_ref(loop)))
        // Nothing waits for the thread's end, since the last reference to this object may go on that thread itself.
        glib().g_thread_unref(thread)
    }

    deinit {
        // An event in the loop, since a loop that does not run yet cannot be stopped. Its low priority puts it after
        // the work that still waits.
        let ending = Ending(loop)
        attach(glib().g_idle_source_new(), G_PRIORITY_LOW) { ending.end() }
        glib().g_main_loop_unref(loop)
        glib().g_main_context_unref(context)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Keeps this executor until the job has run, since the job may drop the last other reference.
        post { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() {
        precondition(isCurrent, "not on the D-Bus thread")
    }

    func isIsolatingCurrentContext() -> Bool? { isCurrent }

    private var isCurrent: Bool { glib().g_main_context_is_owner(context) != 0 }

    /// Runs `work` on the thread later, after the work that was posted before.
    func post(_ work: @escaping @Sendable () -> Void) {
        attach(glib().g_idle_source_new(), G_PRIORITY_DEFAULT, work)
    }

    /// Runs `work` on the thread after this time, unless the returned source is dropped before.
    func after(_ time: Duration, _ work: @escaping @Sendable () -> Void) -> EventSource {
        let milliseconds = time / .milliseconds(1)
        let source = glib().g_timeout_source_new(guint(min(max(milliseconds, 0), Double(Int32.max))))
        let timer = EventSource(referring: source!, in: context)
        attach(source, G_PRIORITY_DEFAULT, work)
        return timer
    }

    /// Runs `work` on the thread once, when the descriptor becomes readable, unless the returned source is dropped
    /// before.
    func whenReadable(_ descriptor: OwnedDescriptor, _ work: @escaping @Sendable () -> Void) -> EventSource {
        let source = glib().g_unix_fd_source_new(descriptor.number, G_IO_IN)
        let watch = EventSource(referring: source!, in: context)
        // A source of this kind calls a function with two more arguments before the data (glib-unix.h). GLib passes
        // every such function as a GSourceFunc, so the cast only changes the declared type.
        let called: @convention(c) (Int32, GIOCondition, UnsafeMutableRawPointer?) -> gboolean = { _, _, data in
            Box<@Sendable () -> Void>.content(of: data)()
            return 0
        }
        attach(source, G_PRIORITY_DEFAULT, called: unsafeBitCast(called, to: GSourceFunc.self)) {
            // Keeps the descriptor open as long as the source waits for it.
            withExtendedLifetime(descriptor) { work() }
        }
        return watch
    }

    /// Adds `source` to the loop and takes over the reference to it. The source owns the box with the work and releases
    /// it.
    private func attach(
        _ source: UnsafeMutablePointer<GSource>?, _ priority: Int32,
        called: GSourceFunc = { data in
            Box<@Sendable () -> Void>.content(of: data)()
            return 0
        }, _ work: @escaping @Sendable () -> Void
    ) {
        glib().g_source_set_priority(source, priority)
        glib().g_source_set_callback(source, called, Box(work).retained(), { Box<@Sendable () -> Void>.release($0) })
        _ = glib().g_source_attach(source, context)
        glib().g_source_unref(source)
    }

    /// A GSource that is removed from its loop with the last reference to this object.
    final class EventSource: @unchecked Sendable {
        // Unchecked because of the pointers: sources may be destroyed from any thread, and the pointers never change. We
        // own one reference to each, given back in deinit.
        private let source: UnsafeMutablePointer<GSource>
        /// Kept because a source does not keep its context: `g_source_destroy` locks the context, which the D-Bus thread may be
        /// freeing at its end.
        private let context: OpaquePointer

        fileprivate init(referring source: UnsafeMutablePointer<GSource>, in context: OpaquePointer) {
            self.source = glib().g_source_ref(source)!
            self.context = glib().g_main_context_ref(context)!
        }

        deinit {
            glib().g_source_destroy(source)
            glib().g_source_unref(source)
            glib().g_main_context_unref(context)
        }
    }

    /// A reference to the loop for the event that ends it.
    private final class Ending: @unchecked Sendable {
        // Unchecked because of the pointer: g_main_loop_quit may be called from any thread. We own one reference, given
        // back in deinit.
        private let loop: OpaquePointer

        init(_ loop: OpaquePointer) { self.loop = glib().g_main_loop_ref(loop)! }
        deinit { glib().g_main_loop_unref(loop) }

        func end() { glib().g_main_loop_quit(loop) }
    }
}
