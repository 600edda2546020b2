import Authenticator
import Basics
import FoundationEssentials

/// The waiting requests, as a person at the terminal sees them: the selected card in full, the others in one line each,
/// nearest expiry first. It has no I/O and does not know where events come from.
struct WatchView {
    struct Entry {
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

    /// By a number that each entry keeps, even if its reference changes.
    var entries: [Int: Entry] = [:]
    private var numbers: [String: Int] = [:]
    /// The new references of entries whose connection was renamed, until `added` comes.
    private var awaited: [String: Int] = [:]
    private var nextNumber = 0
    /// All numbers, nearest expiry first; nil after a change.
    private var known: [Int]?
    /// The selected card. Once it was seen, no later card takes its place.
    var chosen: Int?
    /// When it was selected; nil once a key was pressed.
    private var chosenAt: Date?
    /// How many lines of the card are scrolled away above, and how many one page has.
    var (scrolled, page) = (0, 1)
    var showsKeys = false
    private let openedAt: Date
    /// The banks that are asked; nil before they are known.
    var banks: [BankContactPayload]?
    /// A new request came from a bank that had answered before.
    private var hasNews = false

    init(openedAt: Date) { self.openedAt = openedAt }

    /// The selected card as it is drawn; nil if none is.
    var selected: Card? { showsKeys ? nil : chosen.flatMap { entries[$0]?.card } }
    var isEmpty: Bool { entries.isEmpty }
    var cards: [Card] { entries.values.map(\.card) }

    /// Whether new requests came since the last call, besides those that were waiting from the start.
    mutating func takeNews() -> Bool {
        defer { hasNews = false }
        return hasNews
    }

    /// Takes an event; returns a line that stays on the terminal. The line holds no content, so it may stay there after
    /// a lock.
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
                // The entry stays, and stays selected if it was.
                awaited[reference] = number
                return "renamed  \(card.reference)  now \(reference)"
            }
            guard remove(card.reference) else { return nil }
            let word = card.isPending ? "withdrawn, decided elsewhere or expired" : card.status.line
            return "gone  \(card.reference)  \(word)"
        // Failures from before are not news; those that last are shown below the cards.
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

    /// The numbers in order of expiry. Sorted once after many changes, because a bank may list thousands.
    mutating func order() -> [Int] {
        if let known { return known }
        let sorted = entries.sorted {
            $0.value.card.expires(before: $1.value.card)
        }.map(\.key)
        known = sorted
        return sorted
    }

    // MARK: Keys

    /// Handles a key that only the view needs. Returns false for any other key.
    mutating func press(_ key: Key) -> Bool {
        chosenAt = nil
        if showsKeys {
            // Any key only closes the list of keys, since the card was not visible.
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
        // Drawing limits `scrolled` to the card.
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

    /// Skips the selected card. If all are skipped, takes them all up again.
    private mutating func skip() {
        if let chosen {
            entries[chosen]?.isSkipped = true
        } else {
            for number in Array(entries.keys) { entries[number]?.isSkipped = false }
        }
        chosen = nil
    }

    /// Adds the card that the person brought, and selects it.
    mutating func bring(_ card: Card) {
        _ = take(Event(.added(card), at: openedAt))
        hasNews = false
        showsKeys = false
        if let number = numbers[card.reference] { choose(number) }
    }

    private mutating func choose(_ number: Int) {
        // A card that is looked at is no longer skipped.
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

    /// In seconds. Nobody has read a card that was visible for less, so an earlier expiry may still replace it.
    private static let glance = 1.0

    /// Keeps the selected card, or else selects the next that was not skipped.
    mutating func settle(at now: Date) {
        let isSeen = chosenAt.map { now.timeIntervalSince($0) >= Self.glance } ?? true
        if isSeen, let chosen, entries[chosen] != nil { return }
        let next = order().first { entries[$0]?.isSkipped == false }
        guard next != chosen else { return }
        (chosen, chosenAt, scrolled) = (next, now, 0)
    }
}
