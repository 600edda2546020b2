/// How far the sessions can be reached, and since when nobody used them. Unlike a bank's content, sessions stay at hand for a while without
/// use: they open no payment account.
struct HeldSessions<Sessions> {
    /// How often the agent looks whether a grant still needs the key.
    static var checkInterval: Duration { .seconds(60) }

    private enum State {
        case atHand(Sessions, lastUse: ContinuousClock.Instant)
        case asleep(Sessions)
        case nothing
    }

    private var state = State.nothing
    private var lastCheck: ContinuousClock.Instant?

    /// While the person may use them.
    var atHand: Sessions? { if case .atHand(let sessions, _) = state { sessions } else { nil } }

    /// While only grants that are good at any time need them.
    var asleep: Sessions? { if case .asleep(let sessions) = state { sessions } else { nil } }

    /// While the key is here.
    var reachable: Sessions? { atHand ?? asleep }

    /// The person entered the PIN.
    mutating func open(_ sessions: Sessions, at moment: ContinuousClock.Instant) {
        state = .atHand(sessions, lastUse: moment)
    }

    mutating func used(at moment: ContinuousClock.Instant) {
        if let atHand { state = .atHand(atHand, lastUse: moment) }
    }

    /// The person is away. Returns the sessions if they were at hand.
    mutating func sleep() -> Sessions? {
        guard let atHand else { return nil }
        state = .asleep(atHand)
        return atHand
    }

    mutating func letGo() { state = .nothing }

    /// Whether nobody has used them for this long.
    func isIdle(_ idle: Duration, at moment: ContinuousClock.Instant) -> Bool {
        if case .atHand(_, let lastUse) = state { lastUse + idle <= moment } else { false }
    }

    /// Whether it is time to look whether they are still needed.
    func isTimeToCheck(at moment: ContinuousClock.Instant) -> Bool {
        asleep != nil && lastCheck.map { $0 + Self.checkInterval <= moment } ?? true
    }

    mutating func checked(at moment: ContinuousClock.Instant) { lastCheck = moment }
}
