import Approvals

/// The notes about waiting requests: one for each request, or a single one for all if there are more than a desktop
/// keeps.
///
/// GNOME keeps three notes of a program and drops the oldest without a word; a bank can send thousands.
struct WaitingNotes {
    /// One change to the notes on the screen.
    enum Step {
        /// `isNews`: show it even if the person put the note away.
        case show(Card, key: String, isNews: Bool)
        /// The single note for all: how many wait, and the request that expires first.
        case showAll(Int, first: Card, isNews: Bool)
        case close(key: String)
    }

    /// The key of the single note; no request has this key.
    static let allKey = "all"
    private static let mostNotes = 3

    private var cards: [String: Card] = [:]
    /// The keys whose notes must be rebuilt, and whether to show each even if the person closed it.
    private var stale: [String: Bool] = [:]
    /// The keys whose notes are shown, or were until the person closed them.
    private var made: Set<String> = []
    private var isAllMade = false
    private var isAllStale = false
    private var isAllNews = false

    /// A request waits, or its content or reference changed.
    mutating func announce(_ card: Card, as key: String) {
        // A decision that the bank still works on does not wait for the person.
        guard !card.isProcessing else { return retract(key) }
        let isNews = cards[key]?.fingerprint != card.fingerprint
        cards[key] = card
        touch(key, isNews: isNews)
    }

    /// The authorization no longer waits.
    mutating func retract(_ key: String) {
        isAllStale = cards.removeValue(forKey: key) != nil || isAllStale
        stale[key] = nil
    }

    /// The person used the note without deciding. Many desktops remove a note that was used, so it must be shown again.
    mutating func bringBack(_ key: String) {
        if key == Self.allKey { (isAllStale, isAllNews) = (true, true) } else { touch(key, isNews: true) }
    }

    private mutating func touch(_ key: String, isNews: Bool) {
        guard cards[key] != nil else { return }
        stale[key] = isNews || stale[key] == true
        isAllStale = true
        isAllNews = isAllNews || isNews
    }

    /// The request that the note of this key is about.
    func card(of key: String) -> Card? { cards[key] }

    /// Takes the next step; nil if nothing is left to do. `others`: how many notes of other kinds stand, which take places too.
    mutating func next(besides others: Int) -> Step? {
        let areSingle = cards.count <= max(Self.mostNotes - others, 1)
        // Old notes leave before new ones come, so that there are never more than the desktop keeps.
        if areSingle, isAllMade {
            isAllMade = false
            return .close(key: Self.allKey)
        }
        if let key = made.first(where: { !areSingle || cards[$0] == nil }) {
            made.remove(key)
            return .close(key: key)
        }
        return areSingle ? nextSingle() : nextOfAll()
    }

    private mutating func nextSingle() -> Step? {
        (isAllStale, isAllNews) = (false, false)
        let due = cards.filter { !made.contains($0.key) || stale[$0.key] != nil }
        guard let (key, card) = due.min(by: { $0.value.expires(before: $1.value) }) else {
            return nil
        }
        let isNew = made.insert(key).inserted
        let isNews = stale.removeValue(forKey: key) ?? false
        return .show(card, key: key, isNews: isNew || isNews)
    }

    private mutating func nextOfAll() -> Step? {
        stale = [:]
        guard isAllStale || !isAllMade, let first = cards.values.min(by: { $0.expires(before: $1) }) else { return nil }
        let isNews = isAllNews || !isAllMade
        (isAllMade, isAllStale, isAllNews) = (true, false, false)
        return .showAll(cards.count, first: first, isNews: isNews)
    }
}
