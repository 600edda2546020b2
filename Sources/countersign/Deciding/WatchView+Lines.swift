import Approvals
import Basics
import Dialogue
import Display
import FoundationEssentials

// Draws the view.

extension WatchView {
    /// The lines of the live area, at most `rows` (3 or more), none wider than `columns`. However little room there is,
    /// they include time left, fingerprint and reference of the selected card; its content is scrolled.
    mutating func lines(
        at now: Date, _ actions: KeyActions, columns: Int, rows: Int, style: Style, rings: Bool
    ) -> [String] {
        settle(at: now)
        if showsKeys { return keyLines(columns, rows, rings: rings) }
        let entries = list.entries
        guard let chosen = list.chosen, let current = entries[chosen] else {
            let keys = entries.isEmpty ? "\(nothing)  [q]uit" : "[s]how again  [q]uit"
            let others = overview(besides: nil, rows - 1, now, actions)
            let status = silent + (entries.isEmpty ? [] : age)
            return fit(status + others.lines, rows - 1, columns, of: status.count + others.count)
                + [TextWidth.cut(keys, to: columns)]
        }
        // A card is never drawn narrower than its frame.
        let isNarrow = columns < 24
        let card = current.card.counted(among: entries.values.lazy.map(\.card))
        var layout = card.layout(at: now, width: columns, style: isNarrow ? .plain : style)
        var warning = (actions.warning(about: card).map { TextLines.of($0, width: columns) } ?? [])
            .map(style.bold)
        warning += uncertainty(of: card, at: now).map { TextLines.of($0, width: columns).map(style.bold) } ?? []
        var hasRule = true
        var used: Int {
            warning.count + layout.head.count + (hasRule ? 1 : 0) + layout.notes.count + layout.code.count
                + layout.foot.count + 1
        }
        // In a small window, first drop lines that stand elsewhere, too.
        if used >= rows { layout.code = [] }
        if used >= rows { warning = Array(warning.prefix(1)) }
        if used >= rows { layout.notes = [] }
        if used >= rows { hasRule = false }
        if used >= rows { layout.head = [] }
        if used >= rows { warning = [] }
        if used >= rows { layout.foot = Array(layout.foot.prefix(max(1, rows - 2))) }

        let room = max(0, rows - used)
        let status = silent + age
        let others = overview(besides: chosen, room, now, actions)
        let beside = min(others.count + status.count, max(room / 3, room - layout.body.count))
        let statusRows = min(status.count, max(beside - others.count, (beside + 1) / 2))
        let otherRows = min(others.count, beside - statusRows)
        page = max(1, room - statusRows - otherRows)
        scrolled = min(max(0, scrolled), max(0, layout.body.count - page))
        let shown = Array(layout.body.dropFirst(scrolled).prefix(page))
        layout.head = layout.head.map { head($0, of: layout.body.count, shown.count, chosen) }

        var lines =
            layout.head + shown + (hasRule ? [layout.rule] : []) + layout.notes + layout.code + layout.foot
        if isNarrow { lines = lines.map { TextWidth.cut($0, to: columns) } }
        let below =
            fit(others.lines, otherRows, columns, of: others.count)
            + fit(status, statusRows, columns, of: status.count)
        return (warning + lines + below).prefix(rows - 1) + [KeyActions.keys(within: columns)]
    }

    /// The top of the card's frame, with its number and which of its lines are visible, unless all are.
    private mutating func head(_ plain: String, of count: Int, _ shown: Int, _ number: Int) -> String {
        var words: [String] = []
        if list.entries.count > 1, let index = list.order().firstIndex(of: number) {
            words.append("\(index + 1) of \(list.entries.count)")
        }
        if shown < count {
            let more = scrolled + shown < count ? "down: more" : "end"
            words.append("lines \(scrolled + 1) to \(scrolled + shown) of \(count), \(more)")
        }
        guard !words.isEmpty else { return plain }
        let width = TextWidth.columns(plain)
        let line = "┌─ " + TextWidth.cut(words.joined(separator: " · "), to: width - 5) + " "
        return line + String(repeating: "─", count: max(0, width - TextWidth.columns(line)))
    }

    private func keyLines(_ columns: Int, _ rows: Int, rings: Bool) -> [String] {
        let keys = [
            "a  approve: the whole card, then the PIN", "d  deny", "s  skip: lay it aside",
            "n  not me: deny it, lock, and end", "l  a request's link, which may also be pasted",
            "left right tab 1-9  choose another",
            "up down space page-up page-down  scroll", "b  bell (now \(rings ? "on" : "off"))", "q  quit",
        ]
        // In a small window, two keys share a line.
        let short = [
            "a approve  d deny  s skip  q quit", "n not me: deny it, lock, and end",
            "left right tab 1-9: choose  l link",
            "up down space: scroll  b bell (now \(rings ? "on" : "off"))",
        ]
        return fit(keys.count < rows ? keys : short, rows - 1, columns) + [TextWidth.cut("any key: back", to: columns)]
    }

    /// The text while nothing is known to wait.
    private var nothing: String {
        guard let banks = list.banks else { return "Asking the banks …" }
        guard !banks.isEmpty else { return "No bank can be asked. Paste a link here, or connect: countersign enroll" }
        let answering = banks.filter { $0.failure == nil }
        guard !answering.isEmpty else { return "No bank answers." }
        guard let asOf else {
            return "Asking \(answering.filter { $0.heardAt == nil }.map(\.connection).joined(separator: ", ")) …"
        }
        return answering.count == banks.count
            ? "Nothing waits.  As of \(asOf)." : "Nothing waits at those that answer.  As of \(asOf)."
    }

    /// In seconds. Most servers end a login after this time.
    private static let longestKnown = 120.0

    /// The warning if nobody knows whether this request still waits: it has no expiry, and its bank does not answer.
    private func uncertainty(of card: Card, at now: Date) -> String? {
        guard card.expiresAt == nil, let bank = list.banks?.first(where: { $0.connection == card.connection.text }),
            bank.failure != nil, let heard = bank.heardAt?.date,
            now.timeIntervalSince(heard) > Self.longestKnown
        else { return nil }
        return "uncertain: \(bank.connection) was not heard since \(LocalTime.text(heard)), so this may be over"
    }

    /// The age of our oldest knowledge among the banks that answer; nil if one of them has not answered yet, or none
    /// answers.
    private var asOf: String? {
        let answering = (list.banks ?? []).filter { $0.failure == nil }
        let moments = answering.compactMap { $0.heardAt?.date }
        return moments.count == answering.count ? moments.min().map(LocalTime.text) : nil
    }

    private var age: [String] { asOf.map { ["  as of \($0)"] } ?? [] }

    /// One line for each failing bank, since nobody knows the requests that wait there.
    private var silent: [String] {
        (list.banks ?? []).compactMap { bank in
            guard let failure = bank.failure else { return nil }
            let since = bank.heardAt.map { "not heard since \(LocalTime.text($0.date))" }
            return "  \(bank.connection)  \(since ?? "not heard yet"): \(failure.message)"
        }
    }

    /// One line for each other request, or for several alike ones together. Returns the first `rows` lines, and the
    /// number of all.
    private mutating func overview(
        besides current: Int?, _ rows: Int, _ now: Date, _ actions: KeyActions
    ) -> (lines: [String], count: Int) {
        struct Group {
            var position: Int
            var first: WaitingCards.Entry
            var count = 1
        }
        var groups: [Group] = []
        var places: [FatigueGuard.Likeness: Int] = [:]
        for (position, number) in list.order().enumerated() where number != current {
            guard let entry = list.entries[number] else { continue }
            if let place = places[entry.likeness], actions.fatigue.crowd(around: entry.card.request) > 1 {
                groups[place].count += 1
            } else {
                if places[entry.likeness] == nil { places[entry.likeness] = groups.count }
                groups.append(Group(position: position + 1, first: entry))
            }
        }
        let lines = groups.prefix(max(0, rows)).map { group in
            let card = group.first.card
            let left = card.timeLeft(at: now) ?? ""
            let marks =
                (group.count > 1 ? "  and \(group.count - 1) like it" : "") + (group.first.isSkipped ? "  skipped" : "")
            let digit = group.position < 10 ? "\(group.position)" : " "
            return "  \(digit) \(card.reference)  \(left)\(marks)  \(card.title.line)"
        }
        return (lines, groups.count)
    }

    /// At most `rows` lines. If there are more, the last line says how many are left out.
    private func fit(_ lines: [String], _ rows: Int, _ columns: Int, of count: Int? = nil) -> [String] {
        let count = count ?? lines.count
        guard rows > 0 else { return [] }
        let kept = count > rows ? lines.prefix(rows - 1) + ["  … \(count - rows + 1) more"] : lines
        return kept.map { TextWidth.cut($0, to: columns) }
    }
}
