import Agent
import Display
import FoundationEssentials
import SCA

/// What waits, as a person at the terminal sees it: the card at hand in full, the others in a line each. It has no I/O and
/// does not know where events come from.
struct WatchView {
    private struct Entry {
        var card: Card
        var isSkipped = false
    }

    /// In the order of arrival, so that what comes later never takes the place of the card at hand.
    private var entries: [Entry] = []

    /// The card at hand.
    var selected: Card? { entries.first { !$0.isSkipped }?.card }
    var isEmpty: Bool { entries.isEmpty }

    /// Takes an event; returns a line that stays on the terminal. Such lines hold no content, so a lock may leave them there.
    mutating func take(_ event: Event) -> String? {
        switch event.event {
        case .added:
            guard let card = event.authorization, index(of: card.reference) == nil else { return nil }
            entries.append(Entry(card: card))
        case .changed:
            guard let card = event.authorization, let index = index(of: card.reference) else { return nil }
            entries[index] = Entry(card: card)
            return "changed  \(card.reference)  the bank replaced its content"
        case .decided:
            guard let decision = event.decision, remove(decision.ref) else { return nil }
            return decision.textFromElsewhere
        case .removed:
            guard let card = event.authorization, remove(card.reference) else { return nil }
            let word = card.isPending ? "withdrawn, decided elsewhere or expired" : card.status.line
            return "gone  \(card.reference)  \(word)"
        case .failure: return event.failure?.text
        case .recovered: return event.connection.map { "\($0) answers again" }
        case .locked, .unlocked, .waiting: break
        }
        return nil
    }

    /// Takes away what has expired; returns a line for each.
    mutating func expire(at now: Date) -> [String] {
        let expired = entries.filter { $0.card.isExpired(at: now) }
        entries.removeAll { $0.card.isExpired(at: now) }
        return expired.map { "expired  \($0.card.reference)" }
    }

    /// Takes one away; whether it was there.
    @discardableResult
    mutating func remove(_ reference: String) -> Bool {
        guard let index = index(of: reference) else { return false }
        entries.remove(at: index)
        return true
    }

    /// Lays the card at hand aside; when all are, takes them all up again.
    mutating func skip() {
        if let index = entries.firstIndex(where: { !$0.isSkipped }) {
            entries[index].isSkipped = true
        } else {
            for index in entries.indices { entries[index].isSkipped = false }
        }
    }

    /// The lines of the live area, at most `rows`, none wider than `columns`.
    func lines(at now: Date, _ desk: Desk, columns: Int, rows: Int, style: Style) -> [String] {
        guard let current = entries.first(where: { !$0.isSkipped }) else {
            let keys = entries.isEmpty ? "Nothing waits.  [q]uit" : "[s]how again  [q]uit"
            return fit(overview(besides: nil, now, desk), rows - 1, columns) + [TextWidth.cut(keys, to: columns)]
        }
        let warning = desk.warning(about: current.card).map { TextWrap.lines($0, width: columns) } ?? []
        let others = fit(overview(besides: current, now, desk), max(1, rows / 4), columns)
        let room = max(1, rows - warning.count - others.count - 1)
        // A card is never narrower than its frame.
        let isNarrow = columns < 24
        var card = current.card.lines(at: now, width: columns, style: isNarrow ? .plain : style)
        if isNarrow { card = card.map { TextWidth.cut($0, to: columns) } }
        if card.count > room {
            let hidden = card.count - room + 1
            card = card.prefix(room - 1) + [TextWidth.cut("… \(hidden) more lines; a and d show all", to: columns)]
        }
        let all = warning.map(style.warning) + card + others
        return all.prefix(max(1, rows - 1)) + [TextWidth.cut(Desk.keys, to: columns)]
    }

    /// One line for each of the others; like ones share a line.
    private func overview(besides current: Entry?, _ now: Date, _ desk: Desk) -> [String] {
        var groups: [[Entry]] = []
        for entry in entries where entry.card.reference != current?.card.reference {
            let isLike = { (group: [Entry]) in
                desk.fatigue.crowd(around: entry.card.request) > 1
                    && desk.fatigue.areAlike(group[0].card.request, entry.card.request)
            }
            if let index = groups.firstIndex(where: isLike) {
                groups[index].append(entry)
            } else {
                groups.append([entry])
            }
        }
        return groups.map { group in
            let first = group[0]
            let left = RelativeTime.until(first.card.expiresAt, from: now)
            let marks =
                (group.count > 1 ? "  and \(group.count - 1) like it" : "") + (first.isSkipped ? "  skipped" : "")
            return "  \(first.card.reference)  \(left)\(marks)  \(first.card.title.line)"
        }
    }

    private func fit(_ lines: [String], _ rows: Int, _ columns: Int) -> [String] {
        let kept = lines.count > rows ? lines.prefix(max(0, rows - 1)) + ["  … \(lines.count - rows + 1) more"] : lines
        return kept.map { TextWidth.cut($0, to: columns) }
    }

    private func index(of reference: String) -> Int? {
        entries.firstIndex { $0.card.reference == reference }
    }
}
