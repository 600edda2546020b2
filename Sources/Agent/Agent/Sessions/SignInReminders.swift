import FoundationEssentials
import SessionModel

/// Ended sessions that something still asks for: the desktop shows a note about each at most once an hour.
struct SignInReminders {
    static let pause = Duration.seconds(3600)

    /// When the desktop last asked the person to sign in to a session.
    private var shown: [SessionID: ContinuousClock.Instant] = [:]
    /// The sessions that the desktop asks to sign in to, with the time of the login that ended.
    private var wanted: [SessionID: Date] = [:]
    /// The sessions that are being signed in to by a note's button.
    private var signingIn: Set<SessionID> = []

    var isAnyWanted: Bool { !wanted.isEmpty }

    /// Something asked for this session in vain. Returns whether the desktop must show a note.
    mutating func asked(for session: SignIn, at moment: ContinuousClock.Instant) -> Bool {
        shown = shown.filter { $0.value + Self.pause > moment }
        guard shown[session.id] == nil else { return false }
        shown[session.id] = moment
        wanted[session.id] = session.updatedAt
        return true
    }

    /// The desktop shows that this session was signed out, so a reminder is not due yet.
    mutating func signedOut(_ session: SessionID, at moment: ContinuousClock.Instant) { shown[session] = moment }

    /// Returns the sessions whose notes must go: they were signed in to again, or are gone.
    mutating func settled(among sessions: [SignIn]) -> [SessionID] {
        let over = wanted.filter { id, date in sessions.first { $0.id == id }?.updatedAt != date }.map(\.key)
        for id in over { wanted[id] = nil }
        return over
    }

    /// The person pressed the button of a note. Returns false if a login to this session is under way.
    mutating func began(_ session: SessionID) -> Bool { signingIn.insert(session).inserted }

    /// That login is over.
    mutating func ended(_ session: SessionID) { signingIn.remove(session) }
}

extension SessionError {
    /// Whether only a login helps, and the person did not sign out by themselves.
    var takesLogin: Bool {
        switch self {
        case .signedOut(_, let reason): reason != .signedOut
        case .ranOut, .idTokenRanOut: true
        case .renewal(_, .refused(let rejection)): rejection.kind == .needsPerson
        default: false
        }
    }

    /// Whether the session was signed out as the person wanted.
    var isWantedEnd: Bool {
        if case .signedOut(_, let reason) = self { reason == .timeOver || reason == .left } else { false }
    }
}
