import CSecret

/// The one thread on which everything of D-Bus runs: a GLib main loop, and the executor of the actors that use it.
///
/// It lives as long as something refers to it, which all those actors do.
final class BusThread: SerialExecutor, @unchecked Sendable {
    // Unchecked: a GMainContext and a GMainLoop may be used from any thread (GLib's documentation), and both are set once.
    // One reference each, given back in deinit; the thread has its own to the loop, and the loop one to the context.
    private let context: OpaquePointer
    private let loop: OpaquePointer

    init() {
        context = glib().g_main_context_new()!
        loop = glib().g_main_loop_new(context, 0)!
        let thread = glib().g_thread_new(
            "desktop",
            { data in
                // The reference made for this thread, given back when the loop has ended.
                let loop = OpaquePointer(data)
                let context = glib().g_main_loop_get_context(loop)
                glib().g_main_context_push_thread_default(context)
                glib().g_main_loop_run(loop)
                glib().g_main_context_pop_thread_default(context)
                glib().g_main_loop_unref(loop)
                return nil
            }, UnsafeMutableRawPointer(glib().g_main_loop_ref(loop)))
        // Nobody waits for its end: the last reference may be dropped on that very thread.
        glib().g_thread_unref(thread)
    }

    deinit {
        // As an event of the loop, for a loop that does not run yet could not be told to end; after what still waits.
        let ending = Ending(loop)
        attach(glib().g_idle_source_new(), G_PRIORITY_LOW) { ending.end() }
        glib().g_main_loop_unref(loop)
        glib().g_main_context_unref(context)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Holds this executor until the job has run, which may drop the last other reference.
        post { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() {
        precondition(isCurrent, "not on the D-Bus thread")
    }

    func isIsolatingCurrentContext() -> Bool? { isCurrent }

    private var isCurrent: Bool { glib().g_main_context_is_owner(context) != 0 }

    /// Runs `work` on the thread, after what was posted before; never at once.
    func post(_ work: @escaping @Sendable () -> Void) {
        attach(glib().g_idle_source_new(), G_PRIORITY_DEFAULT, work)
    }

    /// Runs `work` on the thread when the time is over, unless the timer was dropped before.
    func after(_ time: Duration, _ work: @escaping @Sendable () -> Void) -> Timer {
        let milliseconds = time / .milliseconds(1)
        let source = glib().g_timeout_source_new(guint(min(max(milliseconds, 0), Double(Int32.max))))
        let timer = Timer(referring: source!)
        attach(source, G_PRIORITY_DEFAULT, work)
        return timer
    }

    /// Runs `work` on the thread, once, when the descriptor can be read from, unless what is returned was dropped before.
    func whenReadable(_ descriptor: OwnedDescriptor, _ work: @escaping @Sendable () -> Void) -> Timer {
        let source = glib().g_unix_fd_source_new(descriptor.number, G_IO_IN)
        let watch = Timer(referring: source!)
        // A source of this kind calls with two arguments before the data (glib-unix.h), whatever type it is given as.
        let called: @convention(c) (Int32, GIOCondition, UnsafeMutableRawPointer?) -> gboolean = { _, _, data in
            Box<@Sendable () -> Void>.content(of: data)()
            return 0
        }
        attach(source, G_PRIORITY_DEFAULT, called: unsafeBitCast(called, to: GSourceFunc.self)) {
            // Open for as long as the source waits for it.
            withExtendedLifetime(descriptor) { work() }
        }
        return watch
    }

    /// Takes over the reference to `source`. The work belongs to the source and goes with it.
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

    /// A GSource that is taken out of its loop at the end of its life.
    final class Timer: @unchecked Sendable {
        // Unchecked: sources may be destroyed from any thread, and nothing else is kept. One reference of our own.
        private let source: UnsafeMutablePointer<GSource>

        fileprivate init(referring source: UnsafeMutablePointer<GSource>) { self.source = glib().g_source_ref(source)! }

        deinit {
            glib().g_source_destroy(source)
            glib().g_source_unref(source)
        }
    }

    /// A reference to the loop, to end it with.
    private final class Ending: @unchecked Sendable {
        // Unchecked: g_main_loop_quit may be called from any thread. One reference, given back in deinit.
        private let loop: OpaquePointer

        init(_ loop: OpaquePointer) { self.loop = glib().g_main_loop_ref(loop)! }
        deinit { glib().g_main_loop_unref(loop) }

        func end() { glib().g_main_loop_quit(loop) }
    }
}
