import Authenticator

/// Which notes tell what waits: one for each request, or one for all of them where there are more than a desktop keeps.
///
/// GNOME keeps three notes of a program and drops the oldest without a word; a bank can send thousands.
struct WaitingNotes {
    /// One step from what the notifier was asked for to what it should show.
    enum Step {
        /// `isNews`: also where the person put it away.
        case show(Card, key: String, isNews: Bool)
        /// The one note for all: how many wait, and the one that expires first.
        case showAll(Int, first: Card, isNews: Bool)
        case close(key: String)
    }

    /// The key of the note for all; nothing that waits has one like it.
    static let allKey = "all"
    private static let mostNotes = 3

    private var cards: [String: Card] = [:]
    /// The keys whose notes must be made anew, and whether to show them again even if the person closed them.
    private var stale: [String: Bool] = [:]
    /// The notes that are shown, or were until the person closed them.
    private var made: Set<String> = []
    private var isAllMade = false
    private var isAllStale = false
    private var isAllNews = false
    /// Notes of other kinds that stand beside these.
    private var others: Set<String> = []

    /// Something waits, has other content, or another reference.
    mutating func announce(_ card: Card, as key: String) {
        // A bank that works on a decision waits for nobody.
        guard !card.isProcessing else { return retract(key) }
        let isNews = cards[key]?.fingerprint != card.fingerprint
        cards[key] = card
        touch(key, isNews: isNews)
    }

    /// The authorization waits no more.
    mutating func retract(_ key: String) {
        isAllStale = cards.removeValue(forKey: key) != nil || isAllStale
        stale[key] = nil
    }

    /// The person did something with its note, and did not decide: many desktops have taken the note away.
    mutating func bringBack(_ key: String) {
        if key == Self.allKey { (isAllStale, isAllNews) = (true, true) } else { touch(key, isNews: true) }
    }

    private mutating func touch(_ key: String, isNews: Bool) {
        guard cards[key] != nil else { return }
        stale[key] = isNews || stale[key] == true
        isAllStale = true
        isAllNews = isAllNews || isNews
    }

    /// A note of another kind came, or left: it takes the place of one of these.
    mutating func set(other key: String, stands: Bool) {
        if stands { others.insert(key) } else { others.remove(key) }
    }

    /// What the note of this key is about: of the one for all, what expires first.
    func subject(of key: String) -> (key: String, card: Card)? {
        if key == Self.allKey {
            return cards.min { $0.value.expires(before: $1.value) }.map { ($0.key, $0.value) }
        }
        return cards[key].map { (key, $0) }
    }

    /// The next step, as taken; nil when nothing is to be done.
    mutating func next() -> Step? {
        let areSingle = cards.count <= max(Self.mostNotes - others.count, 1)
        // Old ones leave before new ones come, so that there are never more than the desktop keeps.
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
        guard isAllStale || !isAllMade, let first = subject(of: Self.allKey)?.card else { return nil }
        let isNews = isAllNews || !isAllMade
        (isAllMade, isAllStale, isAllNews) = (true, false, false)
        return .showAll(cards.count, first: first, isNews: isNews)
    }
}
