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
        /// The reference under which it comes back, since its connection got another name.
        var awaited: String?
    }

    /// In the order of arrival, so that what comes later never takes the place of the card at hand.
    private var entries: [Entry] = []
    private let openedAt: Date
    /// Those that are asked; nil before that is known.
    private var banks: [HearingPayload]?

    init(openedAt: Date) { self.openedAt = openedAt }

    /// The card at hand.
    var selected: Card? { entries.first { !$0.isSkipped }?.card }
    var isEmpty: Bool { entries.isEmpty }

    /// Takes an event; returns a line that stays on the terminal. Such lines hold no content, so a lock may leave them there.
    mutating func take(_ event: Event) -> String? {
        switch event.event {
        case .added:
            guard let card = event.authorization else { return nil }
            if let index = entries.firstIndex(where: { $0.awaited == card.reference }) {
                entries[index].card = card
                entries[index].awaited = nil
            } else if index(of: card.reference) == nil {
                entries.append(Entry(card: card))
            }
        case .changed:
            guard let card = event.authorization, let index = index(of: card.reference) else { return nil }
            entries[index] = Entry(card: card)
            return "changed  \(card.reference)  the bank replaced its content"
        case .decided:
            guard let decision = event.decision, remove(decision.ref) else { return nil }
            return decision.textFromElsewhere
        case .removed:
            guard let card = event.authorization else { return nil }
            if let reference = event.renamedTo, let index = index(of: card.reference) {
                // It keeps its place.
                entries[index].awaited = reference
                return "renamed  \(card.reference)  now \(reference)"
            }
            guard remove(card.reference) else { return nil }
            let word = card.isPending ? "withdrawn, decided elsewhere or expired" : card.status.line
            return "gone  \(card.reference)  \(word)"
        // What was told to others before is no news: how it stands now is told below the cards.
        case .failure where Timestamp.parse(event.at).map({ $0 < openedAt - 1 }) ?? false: return nil
        case .failure: return event.failure?.text
        case .heard: banks = event.banks
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
            let keys = entries.isEmpty ? "\(nothing)  [q]uit" : "[s]how again  [q]uit"
            let lines = silent + overview(besides: nil, now, desk) + (entries.isEmpty ? [] : age)
            return fit(lines, rows - 1, columns) + [TextWidth.cut(keys, to: columns)]
        }
        let warning = desk.warning(about: current.card).map { TextWrap.lines($0, width: columns) } ?? []
        let others =
            fit(overview(besides: current, now, desk), max(1, rows / 4), columns)
            + fit(silent + age, max(2, rows / 4), columns)
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

    /// What is said while nothing is known to wait.
    private var nothing: String {
        guard let banks else { return "Asking the banks …" }
        guard !banks.isEmpty else { return "No bank that could ask is connected: countersign enroll" }
        let answering = banks.filter { $0.failure == nil }
        guard !answering.isEmpty else { return "No bank answers." }
        guard let asOf else {
            return "Asking \(answering.filter { $0.heardAt == nil }.map(\.connection).joined(separator: ", ")) …"
        }
        return answering.count == banks.count
            ? "Nothing waits.  As of \(asOf)." : "Nothing waits at those that answer.  As of \(asOf)."
    }

    /// When the oldest of what the answering banks said was said; nil where one of them has not answered yet, or none does.
    private var asOf: String? {
        let answering = (banks ?? []).filter { $0.failure == nil }
        let moments = answering.compactMap { $0.heardAt.flatMap(Timestamp.parse) }
        return moments.count == answering.count ? moments.min().map(LocalTime.text) : nil
    }

    private var age: [String] { asOf.map { ["  as of \($0)"] } ?? [] }

    /// One line for each bank that is not heard: nobody knows what waits there.
    private var silent: [String] {
        (banks ?? []).compactMap { bank in
            guard let failure = bank.failure else { return nil }
            let since = bank.heardAt.flatMap(Timestamp.parse).map { "not heard since \(LocalTime.text($0))" }
            return "  \(bank.connection)  \(since ?? "not heard yet"): \(failure.message)"
        }
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
        entries.firstIndex { $0.card.reference == reference && $0.awaited == nil }
    }
}
