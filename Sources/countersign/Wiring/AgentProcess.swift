import Client
import Records
import Agent
import CTerminal
import Desktop
import FoundationEssentials
import LocalSocket
import Logging
import Pinentry
import ApprovalModel
import Cryptography
import ServiceLifecycle
import SessionModel
import Synchronization
import Web

/// The agent as a process: the core, its socket and the desktop.
struct AgentProcess {
    private let context: Context
    private let socket: ListeningSocket
    private let journal: @Sendable (String) -> Void
    /// The session that it was started in and ends with; nil for a service.
    private let origin: SessionOrigin?
    private let display = LastDisplay()

    /// `journal` takes messages for which no notification can be shown: one line without content. With `origin`, the
    /// agent ends when that session does.
    init(
        _ context: Context, _ socket: ListeningSocket, origin: SessionOrigin?,
        journal: @escaping @Sendable (String) -> Void
    ) {
        self.origin = origin
        self.context = context
        self.socket = socket
        self.journal = journal
    }

    /// Serves until SIGTERM, SIGINT, SIGHUP or the end of its session. Calls under way are then finished, or left to
    /// the next poll. Throws if the socket fails.
    func run(onReady: @escaping @Sendable () -> Void, onStop: @escaping @Sendable () -> Void) async throws {
        let transport = try context.makeTransport()
        let providers = context.providers(transport)
        let bus = DesktopBus()
        let settings = context.settings.agent
        let window = WindowApplication(bus: bus, tag: socket.place.tag)
        let announcer = DesktopAnnouncer(
            settings.notifications ? Notifier(bus: bus, desktopEntry: "countersign", icon: OwnFiles.icon) : nil,
            window: { await window.perform(.review, $0) }, now: context.clock.now, journal: journal)
        let agent = await ServedAgent(
            dependencies(UserManager(bus: bus), announcer), dependencies(providers, transport, announcer),
            SessionWing.Dependencies(
                sessions: { [context] key in
                    context.sessions(key, transport) { announcer.sessions.unsaved(isRescued: $1) }
                },
                log: { [context] in context.sessionLog($0) }, idle: context.settings.sessionsIdle,
                terminalNeedsGrant: context.settings.terminalNeedsGrant,
                signOutEvents: context.settings.signOutEvents, departures: Departures(context.database),
                makeID: { String(try RandomBytes.uuid().prefix(8)) },
                announcer: announcer.sessions, signIn: signIn(),
                languages: context.settings.languages ?? LanguageTags(locale: Environment.locale)))
        let core = agent.core
        let signals = DesktopSignals(bus: bus, origin: origin)
        let server = LocalServer(
            on: socket, crowded: AgentAPI.crowded,
            respond: AgentAPI(agent, note: display.note).respond)
        // They end in reverse order: first nobody waits for final answers any more, then requests are answered, then
        // everything is wiped.
        let services: [any Service] = [
            cancelledService { await core.run() },
            cancelledService {
                // A signal may have come before the group of services listened to signals.
                if countersign_interrupted() == 0 { try? await gracefulShutdown() }
            },
            cancelledService { await announcer.run(for: agent) },
            cancelledService { await follow(signals, agent, announcer) },
            server,
            cancelledService {
                await core.holdUntilDraining()
                // The server ends only after this. A process that learns of the end before that must not find the
                // agent.
                socket.retire()
                onStop()
            },
        ]
        var configuration = ServiceGroupConfiguration(
            // A service that returns by itself has seen the end of the session.
            services: services.map { .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup) },
            gracefulShutdownSignals: [.sigterm, .sigint, .sighup], logger: Self.silence)
        configuration.maximumGracefulShutdownDuration = .seconds(60)
        onReady()
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch {
            await transport.shutdown()
            throw error
        }
        await transport.shutdown()
    }

    /// Leads a person through a login; the desktop opens its page.
    private func signIn() -> SessionWing.Dependencies.SigningIn {
        let mayStart = origin != nil
        return { [home = context.database.directory.path] offer, steps, dialogue, answer in
            let run = PageRun(steps, answer: answer) {
                try await .issuer(
                    offer, nil, SilentShow { Browser.open($0, mayStart: mayStart) }, minutes: 10, home: home,
                    words: .silentSignIn)
            }
            _ = try await run.run(dialogue)
        }
    }

    private static let silence = Logger(label: "agent") { _ in SwiftLogNoOpLogHandler() }

    private func dependencies(
        _ providers: Providers, _ transport: Transport, _ announcer: DesktopAnnouncer
    ) -> ApprovalWing.Dependencies {
        ApprovalWing.Dependencies(
            workspace: { [context] vault in context.workspace(on: vault, providers) },
            setup: context.operationsSetup, providers: providers,
            connectionCounts: { [context] in try SealedConnections.counts(in: context.database) },
            notesWhenShut: context.settings.agent.noteWhenShut, pace: context.settings.agent.pace,
            executor: transport.executor, sleep: transport.sleep,
            announcer: announcer.approvals)
    }

    private func dependencies(_ manager: UserManager, _ announcer: DesktopAnnouncer) -> AgentCore.Dependencies {
        let own = ProcessInfo.processInfo.environment
        let program = context.settings.pinentry
        let isAllowed = context.settings.pinPrompt != .terminal
        return AgentCore.Dependencies(
            gate: context.gate, clock: context.clock,
            vaultID: { [context] in try context.database.record()?.vaultID },
            pinID: { [context] in try context.database.record().map { "\($0.vaultID) \($0.deviceSecret)" } },
            limits: context.settings.agent.limits, report: announcer.notes.report,
            asker: { [display] caller, tty in
                guard isAllowed else { return nil }
                var place = caller
                if tty == nil, !Pinentry.hasDisplay(caller) {
                    // The question of a notification has no caller, and a service may be older than the desktop, so
                    // look for a display now: first where the person last ran a command, then in the user's session.
                    let places = [display.environment, await manager.display(), own].filter(Pinentry.hasDisplay)
                    let directory = own["XDG_RUNTIME_DIR"]
                    let living = places.first(where: { Pinentry.isThere($0, runtimeDirectory: directory) })
                    guard let found = living ?? places.first else { return nil }
                    place.merge(found) { $1 }
                }
                // Prefer the caller's display entirely: one mixed from two places would be wrong.
                return Pinentry(program: program, environment: own.without(place).merging(place) { $1 }, tty: tty)
            })
    }

    /// Locks and wakes with the desktop. Returns when the session ends that this process belongs to.
    private func follow(_ signals: DesktopSignals, _ agent: ServedAgent, _ announcer: DesktopAnnouncer) async {
        let (core, sessions) = (agent.core, agent.sessions)
        for await event in signals.events {
            switch event {
            case .screenLocked:
                announcer.approvals.personLeft(.screenLocked)
                await sessions.left(by: .screenLock)
                await core.screenLocked()
            case .loggingOut:
                announcer.approvals.personLeft(.loggedOut)
                await sessions.left(by: .logout)
                await core.leaving()
            case .sessionEnded:
                announcer.approvals.personLeft(.loggedOut)
                await sessions.left(by: .logout)
                await core.leaving()
                guard origin != nil else { continue }
                journal("the session that it was started in is over: it is locked, and ends")
                await sessions.settled()
                return
            case .aboutToSleep:
                announcer.approvals.personLeft(.asleep)
                await sessions.left(by: .sleep)
                await core.leaving()
                await sessions.settled()
                // So that nothing of a bank is on the screen when the machine wakes.
                await announcer.notes.withdrawn()
                await signals.readyToSleep()
            case .personCame: announcer.approvals.over([.screenLocked, .loggedOut])
            case .resumed:
                announcer.approvals.over([.asleep])
                await core.wakeUp()
            case .networkUp: await core.wakeUp()
            }
        }
    }
}

extension [String: String] {
    /// The environment without its displays. Keeps `XAUTHORITY` if `place` has the same X display.
    fileprivate func without(_ place: Self) -> Self {
        var rest = self
        for name in ["DISPLAY", "WAYLAND_DISPLAY"] { rest[name] = nil }
        if place["DISPLAY"] != self["DISPLAY"] { rest["XAUTHORITY"] = nil }
        return rest
    }
}

/// The display on which the person last used the command line.
private final class LastDisplay: Sendable {
    private let last = Mutex<[String: String]>([:])

    /// Notes the caller's display. Only our own program can be trusted to say where a person sits.
    @Sendable func note(_ caller: CallerContext) {
        guard caller.isOwnProgram, caller.isPerson, Pinentry.hasDisplay(caller.prompt.environment) else { return }
        last.withLock { $0 = caller.prompt.environment.filter { $0.key != "TERM" } }
    }

    var environment: [String: String] { last.withLock { $0 } }
}

/// A service that is one function, which is cancelled when the agent ends.
private func cancelledService(_ body: @escaping @Sendable () async -> Void) -> ClosureService {
    ClosureService { await cancelWhenGracefulShutdown { await body() } }
}
