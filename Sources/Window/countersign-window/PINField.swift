import Basics
import CWindow
import WindowModel

/// The entry for the PIN. GTK sees only bullets; the characters go to locked memory.
@MainActor
final class PINField {
    let widget: Widget
    private let entry = PINEntry()

    init(_ name: String = "PIN") {
        widget = Widget(
            countersign_secret_entry(
                name,
                { context, bytes, count, position in
                    // GTK lends the bytes for this call.
                    let text = UnsafeRawBufferPointer(start: bytes, count: Int(count))
                    do {
                        try PINField.entry(context)?.insert(text, at: Int(position))
                        return 1
                    } catch {
                        return 0
                    }
                },
                { context, start, end in PINField.entry(context)?.delete(Int(start), Int(end)) },
                Unmanaged.passRetained(entry).toOpaque(),
                { context in if let context { Unmanaged<PINEntry>.fromOpaque(context).release() } })
        ).named(name)
    }

    /// The pointer is the retained one: the entry releases it at its end.
    private nonisolated static func entry(_ context: UnsafeMutableRawPointer?) -> PINEntry? {
        context.map { Unmanaged<PINEntry>.fromOpaque($0).takeUnretainedValue() }
    }

    var isEmpty: Bool { entry.isEmpty }
    func equals(_ other: PINField) -> Bool { entry.equals(other.entry) }

    /// Hands the typed characters over, and empties the entry.
    func take() -> (any Secret)? {
        let secret = entry.take()
        clear()
        return secret
    }

    /// Wipes the typed characters.
    func wipe() {
        entry.wipe()
        clear()
    }

    private func clear() { gtk_editable_set_text(widget.to(), "") }
}
