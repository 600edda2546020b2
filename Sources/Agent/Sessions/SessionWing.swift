public import Basics
import FoundationEssentials
public import Sessions
import Synchronization

/// The wing of an agent that holds sessions and hands out their tokens.
///
/// While sessions are at hand it serves the person and the programs that were allowed. While asleep it serves only
/// programs that were allowed a token at any time. While shut it keeps nothing. Unlike a bank's content, sessions stay
/// at hand for an hour without use: they open no payment account.
@AgentActor
public final class SessionWing {
    /// The wing's dependencies.
    public struct Dependencies: Sendable {
        /// The sessions that are sealed with this key.
        public var sessions: @Sendable (any SecretSealer) -> LocalSessions
        /// The log that an open vault has the key of.
        public var log: @Sendable (any RowSealer & LogHeadStore) -> (any NoteLog)?
        /// How long sessions stay at hand without use.
        public var idle: Duration
        /// Whether tokens take a grant on the person's terminal, too.
        public var terminalNeedsGrant: Bool
        /// The languages that an issuer's page is asked for in.
        public var languages: LanguageTags
        /// The ways of leaving at which sessions are signed out.
        public var signOutEvents: Set<SignOutEvent>
        /// Keeps how the person left.
        public var departures: any DepartureStore
        /// Makes eight random hexadecimal digits.
        public var makeID: @Sendable () throws -> String
        /// A program asks for a token that no grant allows yet.
        public var announce: @Sendable (ProgramRequest) -> Void
        /// The request no longer waits.
        public var retract: @Sendable (_ id: String) -> Void
        /// Sessions were signed out without the person's doing.
        public var tellSignedOut: @Sendable () -> Void
        /// Announces that this session must be signed in to again, since something asked for it; or takes that back.
        public var tellSignIn: @Sendable (_ id: String, _ isWanted: Bool) -> Void
        /// Leads the person through a login on this desktop, beginning with the question whether the hosts are right.
        public var signIn: SigningIn

        public typealias SigningIn =
            @Sendable (
                any LoginSteps, _ confirm: @escaping @Sendable (LoginOfferPayload) async throws -> Bool
            ) async throws -> Void

        public init(
            sessions: @escaping @Sendable (any SecretSealer) -> LocalSessions,
            log: @escaping @Sendable (any RowSealer & LogHeadStore) -> (any NoteLog)?, idle: Duration,
            terminalNeedsGrant: Bool = false,
            signOutEvents: Set<SignOutEvent>, departures: any DepartureStore,
            makeID: @escaping @Sendable () throws -> String,
            announce: @escaping @Sendable (ProgramRequest) -> Void = { _ in },
            retract: @escaping @Sendable (_ id: String) -> Void = { _ in },
            tellSignedOut: @escaping @Sendable () -> Void = {},
            tellSignIn: @escaping @Sendable (_ id: String, _ isWanted: Bool) -> Void = { _, _ in },
            signIn: @escaping SigningIn = { _, _ in throw SessionWing.noDesktop },
            languages: LanguageTags = .none
        ) {
            self.sessions = sessions
            self.log = log
            self.idle = idle
            self.terminalNeedsGrant = terminalNeedsGrant
            self.signOutEvents = signOutEvents
            self.departures = departures
            self.makeID = makeID
            self.announce = announce
            self.retract = retract
            self.tellSignedOut = tellSignedOut
            self.tellSignIn = tellSignIn
            self.signIn = signIn
            self.languages = languages
        }
    }

    enum Held {
        case atHand(LocalSessions, lastUse: ContinuousClock.Instant)
        case asleep(LocalSessions)
        case nothing
    }

    nonisolated let dependencies: Dependencies
    nonisolated let clock: Clock
    let core: AgentCore
    private(set) var held = Held.nothing
    var requests = ProgramRequests()
    /// By id.
    var logins: [String: LoginUnderWay] = [:]
    /// Programs that signed themselves out while nothing could be written.
    var leaving: Set<Program> = []
    /// Whether the question on the screen is one of this wing.
    var isAsking = false
    /// When the desktop last showed a note about each program.
    var lastAnnounced: [Program: ContinuousClock.Instant] = [:]
    /// The notes about requests that nobody answered.
    var unanswered = UnansweredNotes()
    /// The task that sends owed revocations to issuers.
    var telling: Task<Void, Never>?
    /// Counts these tasks.
    var tellings = 0
    /// When the last of these tasks began.
    var lastTelling: ContinuousClock.Instant?
    /// How many tokens are being handed out.
    nonisolated let servings = CountUnderWay()
    /// How the person left, as far as it could not be written.
    var unkept: [SignOutEvent: Departure] = [:]
    /// When the agent last looked whether a session's time is over.
    var lastLook: ContinuousClock.Instant?
    /// The sessions as watchers know them; nil while no watcher wants them.
    var looked: [SessionID: SessionLook]?
    /// When the agent last looked for changes that watchers do not know.
    var lastTold: ContinuousClock.Instant?
    /// The tokens that programs got and that are not written yet, by grant.
    nonisolated let uses = Mutex<[String: Uses]>([:])
    /// When these were last written.
    var lastCount: ContinuousClock.Instant?
    /// When the agent last tried to write tokens that could not be written when they came.
    var lastWriting: ContinuousClock.Instant?
    /// When the agent last looked for uses that the log does not have yet.
    var lastNoted: ContinuousClock.Instant?
    /// When the desktop last asked the person to sign in to a session.
    var toldSignIn: [SessionID: ContinuousClock.Instant] = [:]
    /// The sessions that the desktop asks to sign in to, with the time of the login that ended.
    var wantedSignIns: [SessionID: Date] = [:]
    /// The sessions that are being signed in to by a note's button.
    var signingIn: Set<SessionID> = []
    /// When the agent last looked whether a grant still needs the key.
    private var lastCheck: ContinuousClock.Instant?

    init(_ dependencies: Dependencies, on core: AgentCore) {
        self.dependencies = dependencies
        self.core = core
        clock = core.dependencies.clock
    }

    /// The sessions, while they are at hand. Throws a failure of kind `locked` otherwise. A person's request prolongs that.
    func demandAtHand(for caller: CallerContext) throws -> LocalSessions {
        core.tick()
        guard case .atHand(let sessions, _) = held else { throw SessionError.notAtHand }
        if caller.isPerson { used() }
        return sessions.asked(by: caller.requester)
    }

    var isAtHand: Bool { if case .atHand = held { true } else { false } }

    /// Every action of the person on the agent keeps the sessions at hand (oauth section 5.2).
    func used() {
        if case .atHand(let sessions, _) = held { held = .atHand(sessions, lastUse: clock.moment()) }
    }

    /// The sessions and how far they can be reached. Throws a failure of kind `locked` while shut.
    func reached() throws -> (LocalSessions, HandOutRules.Readiness) {
        core.tick()
        switch held {
        case .atHand(let sessions, _): return (sessions, .atHand)
        case .asleep(let sessions): return (sessions, .asleep)
        case .nothing: throw SessionError.notAtHand
        }
    }

    /// The person was away for too long: keeps the sessions only for grants that are good at any time.
    private func sleep() {
        guard case .atHand(let sessions, _) = held else { return }
        writeUses(in: sessions)
        held = .asleep(sessions)
        letGoUnlessNeeded()
        leaveHand()
        if isAsking { core.takeBack?() }
    }

    var reach: Handshake.Sessions {
        switch held {
        case .atHand: .atHand
        case .asleep: .asleep
        case .nothing: .shut
        }
    }

    /// Sessions are no longer at hand.
    private func leaveHand() {
        looked = nil
        core.drop(.sessions)
        dropRequests()
        endLogins()
    }

    public func changed() {
        letGoUnlessNeeded()
        tellChanges()
    }

    /// Wipes the key if no program may have a token now.
    func letGoUnlessNeeded() {
        guard case .asleep(let sessions) = held else { return }
        let now = clock.now()
        lastCheck = clock.moment()
        // A session that cannot be read cannot be handed out either.
        let known = Set(((try? sessions.store.sessions()) ?? []).map(\.id))
        let isNeeded = (try? sessions.store.grants())?.contains {
            $0.use == .unlocked && !$0.isOver(at: now) && known.contains($0.session)
        }
        guard isNeeded != true else { return }
        writeUses(in: sessions)
        held = .nothing
    }

    func dropRequests() {
        for id in requests.clear() { retract(id) }
    }
}

extension SessionWing: Wing {
    func check(_ vault: AgentVault) throws {}

    func opened(_ vault: AgentVault) {
        unanswered.entered()
        let key: any SecretSealer
        do {
            key = try vault.sessionsKey()
        } catch {
            // Banks are served all the same.
            held = .nothing
            return core.dependencies.report("the sessions cannot be opened; only banks are served")
        }
        var sessions = dependencies.sessions(key)
        sessions.log = dependencies.log(vault)
        revokeLeaving(in: sessions)
        lastLook = clock.moment()
        keepDepartures()
        // Sign out before anything can be handed out. Owed revocations are sent now.
        held = .atHand(sessions, lastUse: clock.moment())
        shutUnless(signOut(sessions, telling: true))
        tellChanges()
    }

    func unlockedAgain(_ vault: AgentVault) { opened(vault) }

    /// Sessions stay at hand for longer than content may be shown.
    func hide() {}

    func screenLocked() { sleep() }

    /// Logins need only the sessions at hand, which outlast the hiding of banks' content.
    var heldUntil: ContinuousClock.Instant? { nil }

    func shut() {
        if let sessions = reachable { writeUses(in: sessions) }
        held = .nothing
        leaveHand()
    }

    func tick() {
        let moment = clock.moment()
        if case .atHand(_, let lastUse) = held, lastUse + dependencies.idle <= moment, !isPersonSigningIn { sleep() }
        // A grant may have ended, or another process may have ended it.
        if case .asleep = held, lastCheck.map({ $0 + .seconds(60) <= moment }) ?? true { letGoUnlessNeeded() }
        passed(requests.expire(at: moment))
        writeUses(at: moment)
        writeUnsaved(at: moment)
        signOutDue(at: moment)
        tellChanges(at: moment)
    }

    var firstEvents: [AgentEvent] { eventsOfWhatIsThere() }
    func watchersChanged() { startLooking() }
    func wakeUp() async {
        lastLook = nil
        signOutDue(at: clock.moment())
    }
    func drain() { dropRequests() }
}
