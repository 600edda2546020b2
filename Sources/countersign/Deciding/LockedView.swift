import Approvals
import Display

/// The view of a locked agent: only how many requests wait. It has no I/O.
struct LockedView {
    enum Change {
        case none
        /// Content may be shown again.
        case opened
    }

    private var waiting: Int?
    private var hasNews = false

    mutating func take(_ event: Event) -> Change {
        switch event.kind {
        case .locked: return .none
        case .waiting(let count):
            if let waiting, count > waiting { hasNews = true }
            waiting = count
            return .none
        case .added, .changed, .removed, .decided, .failure, .recovered, .heard, .unlocked: return .opened
        }
    }

    /// Whether more requests wait than before; resets that.
    mutating func takeNews() -> Bool {
        defer { hasNews = false }
        return hasNews
    }

    /// At most `rows` lines, none wider than `columns`.
    func lines(_ locked: String, columns: Int, rows: Int) -> [String] {
        let count = waiting.map { StatusPayload.words(waiting: $0) }
        return ((count.map { [$0] } ?? []) + [locked]).flatMap { TextLines.of($0, width: columns) }.suffix(rows)
    }
}
