import CSecret
import Dispatch

/// A GCancellable that cancels itself after a time, so that no call into GIO waits for ever.
final class Deadline: @unchecked Sendable {
    // Unchecked: a GCancellable may be used and cancelled from any thread (GIO's documentation), and nothing else is
    // kept. `new` gives one reference, which `deinit` gives back; `self`, and so the timer's use of it, keeps it alive.
    let cancellable: UnsafeMutablePointer<GCancellable> = glib().g_cancellable_new()!
    private static let queue = DispatchQueue(label: "countersign.vault.deadline")

    /// Runs `body` with a cancellable that is cancelled when `seconds` are over.
    static func run<R>(_ seconds: Double, _ body: (UnsafeMutablePointer<GCancellable>) throws -> R) rethrows -> R {
        let deadline = Deadline()
        let timer = DispatchWorkItem { glib().g_cancellable_cancel(deadline.cancellable) }
        queue.asyncAfter(deadline: .now() + seconds, execute: timer)
        defer { timer.cancel() }
        return try withExtendedLifetime(deadline) { try body(deadline.cancellable) }
    }

    deinit { glib().g_object_unref(cancellable) }
}
