package import Approvals
package import FoundationEssentials

/// The waiting requests, as a front end with a list shows them: one is selected, the others lie beside it, nearest expiry first.
package struct WaitingCards: Sendable {
    package struct Entry: Sendable {
        package var card: Card {
            didSet { likeness = FatigueGuard.Likeness(of: card.request) }
        }
        package private(set) var likeness: FatigueGuard.Likeness
        /// Whether the person laid it aside.
        package var isSkipped = false

        init(_ card: Card) {
            self.card = card
            likeness = FatigueGuard.Likeness(of: card.request)
        }
    }

    /// A change that the person should hear of. It names requests by their references alone, so it may stay on the screen after a lock.
    package enum News: Sendable {
        /// The bank replaced the content.
        case changed(String)
        case renamed(String, to: String)
        case gone(Card)
        case expired(String)
        case decided(DecisionPayload)
        case failure(BankFailurePayload)
        case recovered(String)
    }

    /// By a number that each entry keeps, even if its reference changes.
    package private(set) var entries: [Int: Entry] = [:]
    private var numbers: [String: Int] = [:]
    /// The new references of entries whose connection was renamed, until `added` comes.
    private var awaited: [String: Int] = [:]
    private var nextNumber = 0
    /// All numbers, nearest expiry first; nil after a change.
    private var known: [Int]?
    /// The selected card. Once it was seen, no later card takes its place.
    package private(set) var chosen: Int?
    /// When it was selected; nil once the person did something.
    private var chosenAt: Date?
    /// Grows with each selection, and when the content of the selected card changes: then it is read from its beginning.
    package private(set) var selections = 0
    private let openedAt: Date
    /// The banks that are asked; nil before they are known.
    package private(set) var banks: [BankContactPayload]?
    /// A new request came from a bank that had answered before.
    private var hasNews = false

    package init(openedAt: Date) { self.openedAt = openedAt }

    package var selected: Card? { chosen.flatMap { entries[$0]?.card } }
    package var isEmpty: Bool { entries.isEmpty }
    package var cards: [Card] { entries.values.map(\.card) }

    /// Whether new requests came since the last call, besides those that were waiting from the start.
    package mutating func takeNews() -> Bool {
        defer { hasNews = false }
        return hasNews
    }

    package mutating func take(_ event: Event) -> News? {
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
            if number == chosen { selections += 1 }
            return .changed(card.reference)
        case .decided(let decision): return remove(decision.ref) ? .decided(decision) : nil
        case .removed(let card, let renamedTo):
            if let reference = renamedTo, let number = numbers.removeValue(forKey: card.reference) {
                // The entry stays, and stays selected if it was.
                awaited[reference] = number
                return .renamed(card.reference, to: reference)
            }
            return remove(card.reference) ? .gone(card) : nil
        // Failures from before are not news; those that last are shown beside the cards.
        case .failure where event.at < openedAt - 1: return nil
        case .failure(let failure): return .failure(failure)
        case .heard(let banks): self.banks = banks
        case .recovered(let connection): return .recovered(connection)
        case .locked, .unlocked, .waiting: break
        }
        return nil
    }

    private mutating func put(_ card: Card, _ number: Int) {
        entries[number, default: Entry(card)].card = card
        numbers[card.reference] = number
        known = nil
    }

    /// Removes expired entries.
    package mutating func expire(at now: Date) -> [News] {
        let expired = order().prefix { entries[$0]?.card.isExpired(at: now) == true }
        let news = expired.map { News.expired(entries[$0]?.card.reference ?? "") }
        let gone = Set(expired)
        guard !gone.isEmpty else { return [] }
        for number in gone { forget(number) }
        awaited = awaited.filter { !gone.contains($0.value) }
        return news
    }

    /// Removes an entry. Returns whether it was there.
    @discardableResult
    package mutating func remove(_ reference: String) -> Bool {
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
    package mutating func order() -> [Int] {
        if let known { return known }
        let sorted = entries.sorted { $0.value.card.expires(before: $1.value.card) }.map(\.key)
        known = sorted
        return sorted
    }

    // MARK: Selection

    /// The person did something: from now on no earlier expiry replaces the selected card.
    package mutating func touch() { chosenAt = nil }

    /// Lays the selected card aside. If all are laid aside, takes them all up again.
    package mutating func skip() {
        if let chosen {
            entries[chosen]?.isSkipped = true
        } else {
            for number in Array(entries.keys) { entries[number]?.isSkipped = false }
        }
        chosen = nil
    }

    /// Adds the card that the person brought, and selects it.
    package mutating func bring(_ card: Card) {
        _ = take(Event(.added(card), at: openedAt))
        hasNews = false
        if let number = numbers[card.reference] { choose(number) }
    }

    /// Selects the card at this place of the order.
    package mutating func choose(at place: Int) {
        let order = order()
        if order.indices.contains(place) { choose(order[place]) }
    }

    private mutating func choose(_ number: Int) {
        // A card that is looked at is no longer laid aside.
        entries[number]?.isSkipped = false
        chosen = number
        selections += 1
    }

    /// Selects the next card, or with a step of -1 the one before.
    package mutating func step(by step: Int) {
        let order = order()
        guard !order.isEmpty else { return }
        let index = chosen.flatMap(order.firstIndex)
        choose(order[index.map { ($0 + step + order.count) % order.count } ?? (step > 0 ? 0 : order.count - 1)])
    }

    /// In seconds. Nobody has read a card that was visible for less, so an earlier expiry may still replace it.
    private static let glance = 1.0

    /// Keeps the selected card, or else selects the next that was not laid aside.
    package mutating func settle(at now: Date) {
        let isSeen = chosenAt.map { now.timeIntervalSince($0) >= Self.glance } ?? true
        if isSeen, let chosen, entries[chosen] != nil { return }
        let next = order().first { entries[$0]?.isSkipped == false }
        guard next != chosen else { return }
        (chosen, chosenAt) = (next, now)
        selections += 1
    }
}
