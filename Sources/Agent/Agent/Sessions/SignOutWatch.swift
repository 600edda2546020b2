import SessionModel

/// When the agent looks for sessions that are to be signed out, and the ways in which the person left that could not be written yet. While
/// there are such, nothing can be handed out safely.
struct SignOutWatch {
    /// How often the agent looks. A request for a token is judged at once in any case.
    static let interval = Duration.seconds(15)

    private var lastLook: ContinuousClock.Instant?
    private var unwritten: [SignOutEvent: Departure] = [:]

    var isAllWritten: Bool { unwritten.isEmpty }

    /// Whether it is time to look. If it is, this counts as the look.
    mutating func isTime(at moment: ContinuousClock.Instant) -> Bool {
        guard lastLook.map({ $0 + Self.interval <= moment }) ?? true else { return false }
        lastLook = moment
        return true
    }

    /// The agent looks outside of its schedule.
    mutating func looked(at moment: ContinuousClock.Instant) { lastLook = moment }

    /// The next time to look is now.
    mutating func hurry() { lastLook = nil }

    /// The person left.
    mutating func left(_ departure: Departure) { unwritten[departure.event] = departure }

    /// Writes how the person left: if the key is not here, the sign-out is done with the next PIN. A departure that cannot be written now
    /// is written later.
    mutating func write(to store: any DepartureStore) {
        for (event, departure) in unwritten {
            do { try store.note(departure) } catch { continue }
            unwritten[event] = nil
        }
    }
}
