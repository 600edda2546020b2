import Basics
package import Dialogue
import FoundationEssentials
package import Keys
package import SessionModel
package import Sessions
import AgentWire

/// The wing of an agent that holds sessions and hands out their tokens.
///
/// While sessions are at hand it serves the person and the programs that were allowed. While asleep it serves only
/// programs that were allowed a token at any time. While shut it keeps nothing. Unlike a bank's content, sessions stay
/// at hand for an hour without use: they open no payment account.
@AgentActor
package final class SessionWing {
    /// The wing's dependencies.
    package struct Dependencies: Sendable {
        /// The sessions that are sealed with this key.
        package var sessions: @Sendable (any SecretSealer) -> LocalSessions
        /// The log that an open vault has the key of.
        package var log: @Sendable (any RowSealer & LogHeadStore) -> (any NoteLog)?
        /// How long sessions stay at hand without use.
        package var idle: Duration
        /// Whether tokens take a grant on the person's terminal, too.
        package var terminalNeedsGrant: Bool
        /// The languages that an issuer's page is asked for in.
        package var languages: LanguageTags
        /// The ways of leaving at which sessions are signed out.
        package var signOutEvents: Set<SignOutEvent>
        /// Keeps how the person left.
        package var departures: any DepartureStore
        /// Makes eight random hexadecimal digits.
        package var makeID: @Sendable () throws -> String
        package var announcer: any SessionAnnouncing
        /// Leads the person through a login on this desktop, beginning with the question whether the hosts are right.
        package var signIn: SigningIn

        package typealias SigningIn =
            @Sendable (
                LoginOfferPayload, PageSteps<SignedInPayload>, PageDialogue<SignedInPayload>,
                _ answer: @escaping @Sendable (Ask) async throws -> Answer
            ) async throws -> Void

        package init(
            sessions: @escaping @Sendable (any SecretSealer) -> LocalSessions,
            log: @escaping @Sendable (any RowSealer & LogHeadStore) -> (any NoteLog)?, idle: Duration,
            terminalNeedsGrant: Bool = false,
            signOutEvents: Set<SignOutEvent>, departures: any DepartureStore,
            makeID: @escaping @Sendable () throws -> String,
            announcer: any SessionAnnouncing,
            signIn: @escaping SigningIn,
            languages: LanguageTags = .none
        ) {
            self.sessions = sessions
            self.log = log
            self.idle = idle
            self.terminalNeedsGrant = terminalNeedsGrant
            self.signOutEvents = signOutEvents
            self.departures = departures
            self.makeID = makeID
            self.announcer = announcer
            self.signIn = signIn
            self.languages = languages
        }
    }

    nonisolated let dependencies: Dependencies
    nonisolated let clock: Clock
    let core: AgentCore
    var held = HeldSessions<LocalSessions>()
    var requests = ProgramRequests()
    private(set) lazy var logins = LoginsUnderWay(clock, makeID: dependencies.makeID) { [weak self] in self?.hear($0) }
    var leaving = LeavingPrograms()
    /// Whether the question on the screen is one of this wing.
    var isAsking = false
    var watch = SignOutWatch()
    let revocations: RevocationSending
    var looks = SessionLooks<SessionLook>()
    nonisolated let uses: GrantUses
    var reminders = SignInReminders()
    /// How many tokens are being handed out.
    nonisolated let servings = CountUnderWay()

    init(_ dependencies: Dependencies, on core: AgentCore) {
        self.dependencies = dependencies
        self.core = core
        clock = core.dependencies.clock
        revocations = RevocationSending(clock)
        uses = GrantUses(clock)
    }

    /// The sessions, while they are at hand. Throws a failure of kind `locked` otherwise. A person's request prolongs that.
    func demandAtHand(for caller: CallerContext) throws -> LocalSessions {
        core.tick()
        guard let sessions = held.atHand else { throw SessionError.notAtHand }
        if caller.isPerson { used() }
        return sessions.asked(by: caller.requester)
    }

    var isAtHand: Bool { held.atHand != nil }

    /// Every action of the person on the agent keeps the sessions at hand (oauth section 5.2).
    func used() { held.used(at: clock.moment()) }

    func used(by caller: CallerContext) { if caller.isPerson { used() } }

    /// The person was away for too long: keeps the sessions only for grants that are good at any time.
    private func sleep() {
        guard let sessions = held.sleep() else { return }
        uses.write(in: sessions)
        letGoUnlessNeeded()
        leaveHand()
        if isAsking { core.takeBack?() }
    }

    var reach: Handshake.Sessions { held.atHand != nil ? .atHand : held.asleep != nil ? .asleep : .shut }

    /// Sessions are no longer at hand.
    private func leaveHand() {
        looks.forget()
        core.drop(.sessions)
        apply(requests.clear())
        logins.endAll()
    }

    /// A session or a grant may have changed or gone: the key may no longer be needed, and watchers get events.
    func changed() {
        letGoUnlessNeeded()
        tellChanges()
    }

    /// Wipes the key if no program may have a token now.
    func letGoUnlessNeeded() {
        guard let sessions = held.asleep else { return }
        let now = clock.now()
        held.checked(at: clock.moment())
        // A session that cannot be read cannot be handed out either.
        let known = Set(((try? sessions.store.sessions()) ?? []).map(\.id))
        let isNeeded = (try? sessions.store.grants())?.contains {
            $0.use == .unlocked && !$0.isOver(at: now) && known.contains($0.session)
        }
        guard isNeeded != true else { return }
        uses.write(in: sessions)
        held.letGo()
    }
}

extension SessionWing: Wing {
    var unlockWords: String? { nil }

    func check(_ vault: AgentVault) throws {}

    func opened(_ vault: AgentVault) {
        dependencies.announcer.entered()
        open(vault)
    }

    func unlockedAgain(_ vault: AgentVault) { open(vault) }

    private func open(_ vault: AgentVault) {
        requests.entered()
        let key: any SecretSealer
        do {
            key = try vault.sessionsKey()
        } catch {
            // Banks are served all the same.
            held.letGo()
            return core.dependencies.report("the sessions cannot be opened; only banks are served")
        }
        var sessions = dependencies.sessions(key)
        sessions.log = dependencies.log(vault)
        revokeLeaving(in: sessions)
        watch.looked(at: clock.moment())
        watch.write(to: dependencies.departures)
        // Sign out before anything can be handed out. Owed revocations are sent now.
        held.open(sessions, at: clock.moment())
        shutUnless(signOut(sessions, sending: true))
        tellChanges()
    }

    /// Sessions stay at hand for longer than content may be shown.
    func hide() {}

    func screenLocked() { sleep() }

    /// Logins need only the sessions at hand, which outlast the hiding of banks' content.
    var heldUntil: ContinuousClock.Instant? { nil }

    func shut() {
        if let sessions = held.reachable { uses.write(in: sessions) }
        held.letGo()
        leaveHand()
    }

    func tick() {
        let moment = clock.moment()
        if held.isIdle(dependencies.idle, at: moment), !logins.isPersonSigningIn { sleep() }
        // A grant may have ended, or another process may have ended it.
        if held.isTimeToCheck(at: moment) { letGoUnlessNeeded() }
        apply(requests.expire(at: moment))
        if let sessions = held.reachable { uses.tick(at: moment, in: sessions) } else { uses.forget() }
        signOutDue(at: moment)
        tellChanges(at: moment)
    }

    var firstEvents: [AgentEvent] { eventsOfWhatIsThere() }
    func watchersChanged() { startLooking() }
    func wakeUp() async {
        watch.hurry()
        signOutDue(at: clock.moment())
    }
    func drain() { apply(requests.clear()) }
}
