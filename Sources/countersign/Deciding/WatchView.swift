import Authenticator
import Basics
import Display
import FoundationEssentials

/// What waits, as a person at the terminal sees it: the card at hand in full, the others in a line each, nearest expiry first.
/// It has no I/O and does not know where events come from.
struct WatchView {
    private struct Entry {
        var card: Card {
            didSet { likeness = FatigueGuard.Likeness(of: card.request) }
        }
        var likeness: FatigueGuard.Likeness
        var isSkipped = false

        init(_ card: Card) {
            self.card = card
            likeness = FatigueGuard.Likeness(of: card.request)
        }
    }

    /// By a number that each has for as long as it is here, whatever its reference becomes.
    private var entries: [Int: Entry] = [:]
    private var numbers: [String: Int] = [:]
    /// The references under which entries come back, since their connections got other names.
    private var awaited: [String: Int] = [:]
    private var nextNumber = 0
    /// All, nearest expiry first; nil after a change.
    private var known: [Int]?
    /// The card at hand: what comes later never takes its place, once it was seen.
    private var chosen: Int?
    /// Since when it is; nil once a key was pressed.
    private var chosenAt: Date?
    /// The card's lines that are scrolled away above, and how far one page of it leads.
    private var (scrolled, page) = (0, 1)
    private var showsKeys = false
    private let openedAt: Date
    /// The banks that are asked; nil before they are known.
    private var banks: [HearingPayload]?
    /// Something came of a bank that was heard before.
    private var hasNews = false

    init(openedAt: Date) { self.openedAt = openedAt }

    /// The card at hand, as the last lines show it; nil where they show none.
    var selected: Card? { showsKeys ? nil : chosen.flatMap { entries[$0]?.card } }
    var isEmpty: Bool { entries.isEmpty }

    /// Whether requests came since the last time, besides those that waited before.
    mutating func takeNews() -> Bool {
        defer { hasNews = false }
        return hasNews
    }

    /// Takes an event; returns a line that stays on the terminal. Such lines hold no content, so a lock may leave them there.
    mutating func take(_ event: Event) -> String? {
        switch event.kind {
        case .added(let card):
            if let number = awaited.removeValue(forKey: card.reference) {
                put(card, number)
            } else if numbers[card.reference] == nil {
                nextNumber += 1
                put(card, nextNumber)
                let bank = banks?.first { $0.connection == card.connection.text }
                if bank?.heardAt != nil { hasNews = true }
            }
        case .changed(let card):
            guard let number = numbers[card.reference] else { return nil }
            put(card, number)
            entries[number]?.isSkipped = false
            if number == chosen { scrolled = 0 }
            return "changed  \(card.reference)  the bank replaced its content"
        case .decided(let decision):
            guard remove(decision.ref) else { return nil }
            return decision.textFromElsewhere
        case .removed(let card, let renamedTo):
            if let reference = renamedTo, let number = numbers.removeValue(forKey: card.reference) {
                // It stays, at hand where it was.
                awaited[reference] = number
                return "renamed  \(card.reference)  now \(reference)"
            }
            guard remove(card.reference) else { return nil }
            let word = card.isPending ? "withdrawn, decided elsewhere or expired" : card.status.line
            return "gone  \(card.reference)  \(word)"
        // What was told to others before is no news: how it stands now is told below the cards.
        case .failure where event.at < openedAt - 1: return nil
        case .failure(let failure): return failure.text
        case .heard(let banks): self.banks = banks
        case .recovered(let connection): return "\(connection) answers again"
        case .locked, .unlocked, .waiting: break
        }
        return nil
    }

    private mutating func put(_ card: Card, _ number: Int) {
        entries[number, default: Entry(card)].card = card
        numbers[card.reference] = number
        known = nil
    }

    /// Removes expired entries; returns a line for each.
    mutating func expire(at now: Date) -> [String] {
        let expired = order().prefix { entries[$0]?.card.isExpired(at: now) == true }
        let lines = expired.map { "expired  \(entries[$0]?.card.reference ?? "")" }
        let gone = Set(expired)
        guard !gone.isEmpty else { return [] }
        for number in gone { forget(number) }
        awaited = awaited.filter { !gone.contains($0.value) }
        return lines
    }

    /// Removes an entry. Returns whether it was there.
    @discardableResult
    mutating func remove(_ reference: String) -> Bool {
        guard let number = numbers[reference] else { return false }
        forget(number)
        return true
    }

    private mutating func forget(_ number: Int) {
        guard let entry = entries.removeValue(forKey: number) else { return }
        if numbers[entry.card.reference] == number { numbers[entry.card.reference] = nil }
        known = nil
    }

    /// Sorted once after many changes: a bank may list thousands.
    private mutating func order() -> [Int] {
        if let known { return known }
        let sorted = entries.sorted {
            $0.value.card.expires(before: $1.value.card)
        }.map(\.key)
        known = sorted
        return sorted
    }

    // MARK: Keys

    /// Does what a key means to the view alone; whether it was such a key.
    mutating func press(_ key: Key) -> Bool {
        chosenAt = nil
        if showsKeys {
            // Whatever it was, it answers nothing that is not seen.
            showsKeys = false
            return true
        }
        switch key {
        case Key("?"): showsKeys = true
        case Key("s"): skip()
        case .right, Key("\t"): step(by: 1)
        case .left, .backTab: step(by: -1)
        case .character(UInt8(ascii: "1")...UInt8(ascii: "9")):
            guard case .character(let digit) = key else { return true }
            let order = order()
            let index = Int(digit - UInt8(ascii: "1"))
            if index < order.count { choose(order[index]) }
        // The next lines keep them within the card.
        case .up: scrolled -= 1
        case .down: scrolled += 1
        case .pageUp: scrolled -= page
        case .pageDown, Key(" "): scrolled += page
        case .home: scrolled = 0
        case .end: scrolled = .max / 2
        default: return false
        }
        return true
    }

    /// Lays the card at hand aside; when all are, takes them all up again.
    private mutating func skip() {
        if let chosen {
            entries[chosen]?.isSkipped = true
        } else {
            for number in Array(entries.keys) { entries[number]?.isSkipped = false }
        }
        chosen = nil
    }

    private mutating func choose(_ number: Int) {
        // What is looked at is no longer aside.
        entries[number]?.isSkipped = false
        chosen = number
        scrolled = 0
    }

    private mutating func step(by step: Int) {
        let order = order()
        guard !order.isEmpty else { return }
        let index = chosen.flatMap(order.firstIndex)
        choose(order[index.map { ($0 + step + order.count) % order.count } ?? (step > 0 ? 0 : order.count - 1)])
    }

    /// Nobody has read a card that stands there for less than this: of those that come together the first to expire comes first.
    private static let glance = 1.0

    /// The one at hand, else the next that was not laid aside.
    private mutating func settle(at now: Date) {
        let isSeen = chosenAt.map { now.timeIntervalSince($0) >= Self.glance } ?? true
        if isSeen, let chosen, entries[chosen] != nil { return }
        let next = order().first { entries[$0]?.isSkipped == false }
        guard next != chosen else { return }
        (chosen, chosenAt, scrolled) = (next, now, 0)
    }

    // MARK: Drawing

    /// The lines of the live area, at most `rows` (3 or more), none wider than `columns`. Time left, fingerprint and reference of
    /// the card at hand are among them, however little room there is, and its content is scrolled.
    mutating func lines(
        at now: Date, _ desk: Desk, columns: Int, rows: Int, style: Style, rings: Bool
    ) -> [String] {
        settle(at: now)
        if showsKeys { return keyLines(columns, rows, rings: rings) }
        guard let chosen, let current = entries[chosen] else {
            let keys = entries.isEmpty ? "\(nothing)  [q]uit" : "[s]how again  [q]uit"
            let others = overview(besides: nil, rows - 1, now, desk)
            let status = silent + (entries.isEmpty ? [] : age)
            return fit(status + others.lines, rows - 1, columns, of: status.count + others.count)
                + [TextWidth.cut(keys, to: columns)]
        }
        // A card is never narrower than its frame.
        let isNarrow = columns < 24
        var parts = current.card.parts(at: now, width: columns, style: isNarrow ? .plain : style)
        var warning = (desk.warning(about: current.card).map { TextWrap.lines($0, width: columns) } ?? [])
            .map(style.warning)
        var hasRule = true
        var used: Int {
            warning.count + parts.head.count + (hasRule ? 1 : 0) + parts.code.count + parts.foot.count + 1
        }
        // In a small window that goes first which is seen elsewhere too.
        if used >= rows { parts.code = [] }
        if used >= rows { warning = Array(warning.prefix(1)) }
        if used >= rows { parts.head = [] }
        if used >= rows { hasRule = false }
        if used >= rows { warning = [] }
        if used >= rows { parts.foot = Array(parts.foot.prefix(max(1, rows - 2))) }

        let room = max(0, rows - used)
        let status = silent + age
        let others = overview(besides: chosen, room, now, desk)
        let beside = min(others.count + status.count, max(room / 3, room - parts.body.count))
        let statusRows = min(status.count, max(beside - others.count, (beside + 1) / 2))
        let otherRows = min(others.count, beside - statusRows)
        page = max(1, room - statusRows - otherRows)
        scrolled = min(max(0, scrolled), max(0, parts.body.count - page))
        let shown = Array(parts.body.dropFirst(scrolled).prefix(page))
        if hasRule { parts.rule = rule(parts.rule, of: parts.body.count, shown.count, chosen) }

        var lines = parts.head + shown + (hasRule ? [parts.rule] : []) + parts.code + parts.foot
        if isNarrow { lines = lines.map { TextWidth.cut($0, to: columns) } }
        let below =
            fit(others.lines, otherRows, columns, of: others.count)
            + fit(status, statusRows, columns, of: status.count)
        return (warning + lines + below).prefix(rows - 1) + [Desk.keys(within: columns)]
    }

    /// The rule of a card, with which one it is and what of it is seen, where that is not all.
    private mutating func rule(_ plain: String, of count: Int, _ shown: Int, _ number: Int) -> String {
        var words: [String] = []
        if entries.count > 1, let index = order().firstIndex(of: number) {
            words.append("\(index + 1) of \(entries.count)")
        }
        if shown < count {
            let more = scrolled + shown < count ? "down: more" : "end"
            words.append("lines \(scrolled + 1) to \(scrolled + shown) of \(count), \(more)")
        }
        guard !words.isEmpty else { return plain }
        let width = TextWidth.columns(plain)
        let line = "├─ " + TextWidth.cut(words.joined(separator: " · "), to: width - 5) + " "
        return line + String(repeating: "─", count: max(0, width - TextWidth.columns(line)))
    }

    private func keyLines(_ columns: Int, _ rows: Int, rings: Bool) -> [String] {
        let keys = [
            "a  approve: the whole card, then the PIN", "d  deny", "s  skip: lay it aside",
            "n  not me: deny it, lock, and end", "left right tab 1-9  choose another",
            "up down space page-up page-down  scroll", "b  bell (now \(rings ? "on" : "off"))", "q  quit",
        ]
        // In a small window two share a line.
        let short = [
            "a approve  d deny  s skip  q quit", "n not me: deny it, lock, and end", "left right tab 1-9: choose",
            "up down space: scroll  b bell \(rings ? "off" : "on")",
        ]
        return fit(keys.count < rows ? keys : short, rows - 1, columns) + [TextWidth.cut("any key: back", to: columns)]
    }

    /// The text while nothing is known to wait.
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

    /// One line for each of the others, like ones in one: the first `rows` of them, and how many there are.
    private mutating func overview(
        besides current: Int?, _ rows: Int, _ now: Date, _ desk: Desk
    ) -> (lines: [String], count: Int) {
        struct Group {
            var position: Int
            var first: Entry
            var count = 1
        }
        var groups: [Group] = []
        var places: [FatigueGuard.Likeness: Int] = [:]
        for (position, number) in order().enumerated() where number != current {
            guard let entry = entries[number] else { continue }
            if let place = places[entry.likeness], desk.fatigue.crowd(around: entry.card.request) > 1 {
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

    /// At most `rows` lines; of so many, those that find no room are counted in the last.
    private func fit(_ lines: [String], _ rows: Int, _ columns: Int, of count: Int? = nil) -> [String] {
        let count = count ?? lines.count
        guard rows > 0 else { return [] }
        let kept = count > rows ? lines.prefix(rows - 1) + ["  … \(count - rows + 1) more"] : lines
        return kept.map { TextWidth.cut($0, to: columns) }
    }
}
