@testable import AgentWire
@testable import Agent
import Records
import Approvals
import Basics
import Foundation
import Ledger
import LocalSocket
import Pinentry
import ApprovalModel
import Keys
import SessionModel
import Sessions
import Testing

/// An agent in this process: a real ledger, banks and a person in memory, and a clock that the test drives.
final class AgentFixture: Sendable {
    /// What outlives an agent: its home, the banks, and time.
    final class Ground: Sendable {
        let clock = ManualClock()
        let vault: MemoryVault
        let gate: MemoryGate
        let banks: [MemoryBank]
        let issuer: any IssuerService
        let home = FileManager.default.temporaryDirectory.appending(path: "agent-fixture-\(UUID().uuidString)")
        let database: StateDatabase

        init(banks count: Int, issuer: any IssuerService) throws {
            self.issuer = issuer
            vault = try MemoryVault()
            gate = MemoryGate(vault)
            banks = (1...count).map { MemoryBank("bank-\($0)") }
            database = StateDatabase(try StateDirectory(home: home.path, environment: [:]))
            let connections = SealedConnections(database, sealer: vault)
            for bank in banks {
                let (key, name) = (KeyID("key of \(bank.name)"), try #require(ConnectionName(bank.name)))
                let token = try MemoryGate.secret("token")
                try vault.store(EnrolledSecrets().with(.token, token), as: key)
                _ = try connections.add(
                    Connection(
                        guid: ConnectionGUID(bank.name), name: name, keyID: key,
                        enrolled: try MemoryProvider.enrolled(bank.name), createdAt: clock.now, updatedAt: clock.now))
            }
        }

        deinit { try? FileManager.default.removeItem(at: home) }
    }

    private let ground: Ground
    /// The programs of callers, by their command.
    let programs = Programs()
    /// What programs asked for, as the desktop was told.
    let asked = Recorded<ProgramRequest>()
    /// The requests of programs that wait no more, as the desktop was told.
    let retracted = Recorded<String>()
    /// How often the desktop was told that sessions were signed out.
    let signedOut = Recorded<Date>()
    /// The sessions that the desktop was told to ask to sign in to (`+`), or no longer (`-`).
    let signIns = Recorded<String>()
    let screen = ScriptedScreen()
    let announcer = RecordedAnnouncer()
    let agent: ServedAgent
    private let running: Task<Void, Never>
    private let signOutClock: SignOutClock

    var clock: ManualClock { ground.clock }
    var vault: MemoryVault { ground.vault }
    var database: StateDatabase { ground.database }
    var gate: MemoryGate { ground.gate }
    var banks: [MemoryBank] { ground.banks }
    var bank: MemoryBank { ground.banks[0] }

    /// Begins shut, with one connection for each bank: `bank-1`, `bank-2` …
    convenience init(
        limits: UnlockMachine.Limits = .init(), pace: PollSchedule.Pace = AgentFixture.pace, banks count: Int = 1,
        signOut: SignOutClock = .never, departures: (any DepartureStore)? = nil,
        terminalNeedsGrant: Bool = false, issuer: any IssuerService = NoIssuer()
    ) async throws {
        await self.init(
            on: try Ground(banks: count, issuer: issuer), limits: limits, pace: pace, signOut: signOut,
            departures: departures, terminalNeedsGrant: terminalNeedsGrant)
    }

    static let pace = PollSchedule.Pace(fastest: .seconds(1), slowest: .seconds(1))

    static let idle = Duration.seconds(3600)

    private init(
        on ground: Ground, limits: UnlockMachine.Limits = .init(), pace: PollSchedule.Pace = AgentFixture.pace,
        signOut: SignOutClock = .never, departures: (any DepartureStore)? = nil, terminalNeedsGrant: Bool = false
    ) async {
        signOutClock = signOut
        let (clock, gate, database, screen) = (ground.clock.clock, ground.gate, ground.database, screen)
        let (asked, retracted, signedOut, issuer) = (asked, retracted, signedOut, ground.issuer)
        let signIns = signIns
        let providers = Providers([MemoryProvider(banks: ground.banks)])
        let agent = await ServedAgent(
            AgentCore.Dependencies(
                gate: gate, clock: clock, vaultID: { "vault" }, pinID: { gate.state.withLock { $0.id } },
                limits: limits, report: announcer.report,
                asker: { place, _ in
                    screen.places.add(place)
                    return screen.isThere.withLock { $0 } ? screen : nil
                }),
            ApprovalWing.Dependencies(
                workspace: { vault in
                    Workspace(
                        vault: vault, connections: SealedConnections(database, sealer: vault),
                        log: SealedLog(database, sealer: vault), providers: providers, clock: clock)
                },
                setup: LocalOperations.Setup(
                    gate: gate, positions: [:], links: LinkReaders([MemoryLinks()]), makeID: { UUID().uuidString }),
                providers: providers, connectionCounts: { try SealedConnections.counts(in: database) },
                pace: pace, announcer: announcer),
            SessionWing.Dependencies(
                sessions: { Self.sessions($0, database, clock, issuer, signOut) },
                log: { SealedNotes(SealedLog(database, sealer: $0)) }, idle: Self.idle,
                terminalNeedsGrant: terminalNeedsGrant, signOutEvents: signOut.events,
                departures: departures ?? Departures(database),
                makeID: { String(UUID().uuidString.lowercased().prefix(8)) },
                announcer: RecordedSessionAnnouncer(
                    asked: asked, retracted: retracted, signOuts: signedOut, signIns: signIns, clock: clock),
                signIn: MemoryIssuer.leadThrough))
        running = Task { await agent.core.run() }
        (self.ground, self.agent) = (ground, agent)
    }

    deinit { running.cancel() }

    /// Ends this agent, and starts the next one of the same home.
    func another() async -> AgentFixture {
        await end()
        return await AgentFixture(on: ground, signOut: signOutClock)
    }

    // MARK: The callers

    /// A person at a terminal, through our own program.
    static let person = CallerContext(
        requester: Requester(pid: 4711, uid: 1000, commands: ["countersign"]), isOwnProgram: true, isPerson: true)
    /// A front end without a terminal.
    static let frontEnd = CallerContext(
        requester: Requester(pid: 4712, uid: 1000, commands: ["front-end"]), isOwnProgram: false, isPerson: false)
    /// A script: without a terminal, and nobody may be asked.
    static let script = CallerContext(
        requester: Requester(pid: 4713, uid: 1000, commands: ["script"]), isOwnProgram: true, isPerson: false,
        mayAsk: false)

    @discardableResult
    func unlock() async throws -> AgentFixture {
        _ = try await agent.unlock(try MemoryGate.secret(), from: .file, for: Self.script)
        return self
    }

    var state: Handshake.State { get async throws { try await agent.handshake().state } }
    var waiting: Int? { get async throws { try await agent.handshake().waiting } }

    /// Sessions of the real ledger.
    private static func sessions(
        _ key: any SecretSealer, _ database: StateDatabase, _ clock: Clock, _ issuer: any IssuerService,
        _ signOutClock: SignOutClock
    ) -> LocalSessions {
        LocalSessions(
            store: SealedSessions(database, sealer: key), service: issuer, clock: clock,
            signOutClock: signOutClock, makeID: { UUID().uuidString.lowercased() }, rejected: { _ in .newest })
    }

    /// The sessions of this home, as a command with the PIN has them.
    var sessions: LocalSessions {
        get throws {
            Self.sessions(try vault.sessionsKey(), ground.database, clock.clock, ground.issuer, signOutClock)
        }
    }

    /// The requests that the agent knows to wait.
    var cards: [Card] { get async throws { try await agent.approvals.known(nil).authorizations } }

    /// Ends the agent's task, as at the end of the process.
    func end() async {
        running.cancel()
        await running.value
    }

    /// Lets the agent begin to end.
    func drain() async {
        let holding = Task { await agent.core.holdUntilDraining() }
        holding.cancel()
        await holding.value
    }

    // MARK: Time

    /// Lets the banks be polled until `look` finds something. Hardly any time passes meanwhile.
    func polling<Found>(until look: () async throws -> Found?) async throws -> Found {
        var patience = Duration.milliseconds(2)
        while true {
            if let found = try await look() { return found }
            // A bank is polled again at the next beat.
            clock.pass(.milliseconds(300))
            await agent.core.wakeUp()
            try await Task.sleep(for: patience)
            patience = min(patience * 2, .milliseconds(250))
        }
    }

    /// Lets time pass until this long after the start.
    func pass(until moment: Duration) { clock.pass(moment - clock.passed) }

    /// Waits until only the core's own timer sleeps.
    func untilQuiet() async throws {
        while clock.sleepers != 1 { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Lets the banks be polled until this many requests are known to wait.
    func poll(untilWaiting count: Int) async throws {
        _ = try await polling { try await waiting == count ? true : nil }
    }

    /// A new request of the bank, which the agent knows when this returns.
    func ask(
        _ title: String = "Pay 9.90 EUR", text: String = "To Fern Books", id: String? = nil, for seconds: Double = 3000,
        needsPIN: Bool = false
    ) async throws -> Card {
        let id = try bank.ask(title, text: text, id: id, for: seconds, at: clock.now, needsPIN: needsPIN)
        return try await polling { try await cards.first { $0.id.line == id && $0.title.line == title } }
    }

    // MARK: What is stored

    func connections() throws -> [Connection] { try SealedConnections(ground.database, sealer: vault).connections() }

    func history() throws -> [DecisionEntry] { try SealedLog(ground.database, sealer: vault).entries() }

    /// Every file of the home with its bytes, except the `-shm` files, which SQLite changes on reading.
    func files() throws -> [String: Data] {
        try FileManager.default.contentsOfDirectory(atPath: ground.home.path).reduce(into: [:]) { files, name in
            if !name.hasSuffix("-shm") { files[name] = try Data(contentsOf: ground.home.appending(path: name)) }
        }
    }
}
