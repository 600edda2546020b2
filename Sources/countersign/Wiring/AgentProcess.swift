import ApprovalRecords
import Agent
import Desktop
import FoundationEssentials
import LocalSocket
import Logging
import Pinentry
import SCA
import ServiceLifecycle
import Synchronization
import Web

/// The agent as a process: the core, its socket, the desktop; from the first request to the last decision.
struct AgentProcess {
    private let context: Context
    private let socket: ListeningSocket
    private let journal: @Sendable (String) -> Void
    /// What it was started in, where it ends with that.
    private let origin: SessionOrigin?
    private let display = LastDisplay()

    /// `journal` takes what is to be told where no notification can be shown, a line without content.
    ///
    /// With `origin` it ends when the person's session does.
    init(
        _ context: Context, _ socket: ListeningSocket, origin: SessionOrigin?,
        journal: @escaping @Sendable (String) -> Void
    ) {
        self.origin = origin
        self.context = context
        self.socket = socket
        self.journal = journal
    }

    /// Serves until SIGTERM, SIGINT, SIGHUP or the end of its origin; then what is on its way is finished or left to the next poll. Throws when the
    /// socket fails.
    func run(onReady: @escaping @Sendable () -> Void, onStop: @escaping @Sendable () -> Void) async throws {
        let transport = try context.makeTransport()
        let providers = context.providers(transport)
        let bus = DesktopBus()
        let settings = context.settings.agent
        let announcer = DesktopAnnouncer(
            settings.notifications ? Notifier(bus: bus, desktopEntry: "countersign") : nil,
            now: context.clock.now, journal: journal)
        let agent = await ServedAgent(
            parts(UserManager(bus: bus), announcer), parts(providers, transport, announcer))
        let core = agent.core
        let signals = DesktopSignals(bus: bus, origin: origin)
        let server = LocalServer(on: socket, respond: AgentAPI(agent, approvals: agent, note: display.note).respond)
        // They end in reverse order: no final word is awaited any more, requests are answered, then all is wiped.
        let services: [any Service] = [
            Running { await core.run() },
            Running { await announcer.run(for: agent.approvals) },
            Running { await follow(signals, core, announcer) },
            server,
            Running {
                await core.holdUntilDraining()
                // The server ends only after this one: whoever hears of the end before it does must find no agent either.
                socket.retire()
                onStop()
            },
        ]
        var configuration = ServiceGroupConfiguration(
            // One that returns by itself has seen the end of the session.
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

    private static let silence = Logger(label: "agent") { _ in SwiftLogNoOpLogHandler() }

    private func parts(
        _ providers: Providers, _ transport: Transport, _ announcer: DesktopAnnouncer
    ) -> Approvals.Parts {
        Approvals.Parts(
            session: { [context] vault in context.session(on: vault, providers) },
            setup: context.operationsSetup, providers: providers,
            endedConnections: { [context] in try SealedConnections.ended(in: context.database) },
            pace: context.settings.agent.pace, executor: transport.executor, sleep: transport.sleep,
            announcer: announcer)
    }

    private func parts(_ manager: UserManager, _ announcer: DesktopAnnouncer) -> AgentCore.Parts {
        let own = ProcessInfo.processInfo.environment
        let program = context.settings.pinentry
        let isAllowed = context.settings.pinPrompt != .terminal
        return AgentCore.Parts(
            gate: context.gate, clock: context.clock,
            vaultID: { [context] in try context.database.record()?.vaultID },
            pinID: { [context] in try context.database.record().map { "\($0.vaultID) \($0.deviceSecret)" } },
            limits: context.settings.agent.limits, report: announcer.report,
            asker: { [display] caller, tty in
                guard isAllowed else { return nil }
                var place = caller
                if tty == nil, !Pinentry.hasDisplay(caller) {
                    // A notification's question has no caller, and a service may be older than the desktop: the display is
                    // looked for now. It goes where a person was last, else where the session is now.
                    let places = [display.environment, await manager.display(), own].filter(Pinentry.hasDisplay)
                    let directory = own["XDG_RUNTIME_DIR"]
                    let living = places.first(where: { Pinentry.isThere($0, runtimeDirectory: directory) })
                    guard let found = living ?? places.first else { return nil }
                    place.merge(found) { $1 }
                }
                // Of two places, one is wrong: the agent's own counts for nothing beside another.
                return Pinentry(program: program, environment: own.without(place).merging(place) { $1 }, tty: tty)
            })
    }

    /// Locks and wakes with the desktop. Returns when the session has ended that this process ends with.
    private func follow(_ signals: DesktopSignals, _ core: AgentCore, _ announcer: DesktopAnnouncer) async {
        for await event in signals.events {
            switch event {
            case .screenLocked: await core.screenLocked()
            case .loggingOut: await core.leaving()
            case .sessionEnded:
                await core.leaving()
                guard origin != nil else { continue }
                journal("the session that it was started in is over: it is locked, and ends")
                return
            case .aboutToSleep:
                await core.leaving()
                // Nothing that a bank sent stands on the screen when the machine wakes.
                await announcer.withdrawn()
                await signals.readyToSleep()
            case .resumed, .networkUp: await core.wakeUp()
            }
        }
    }
}

extension [String: String] {
    /// Without its own displays; the key to the one that `place` names too stays.
    fileprivate func without(_ place: Self) -> Self {
        var rest = self
        for name in ["DISPLAY", "WAYLAND_DISPLAY"] { rest[name] = nil }
        if place["DISPLAY"] != self["DISPLAY"] { rest["XAUTHORITY"] = nil }
        return rest
    }
}

/// The display of the person who used the command line last.
private final class LastDisplay: Sendable {
    private let last = Mutex<[String: String]>([:])

    /// Only our own program says truly where a person sits.
    @Sendable func note(_ caller: CallerContext) {
        guard caller.isOwnProgram, caller.isPerson, Pinentry.hasDisplay(caller.prompt.environment) else { return }
        last.withLock { $0 = caller.prompt.environment.filter { $0.key != "TERM" } }
    }

    var environment: [String: String] { last.withLock { $0 } }
}

/// A service that is one function, cancelled when the agent ends.
private struct Running: Service {
    private let body: @Sendable () async -> Void

    init(_ body: @escaping @Sendable () async -> Void) { self.body = body }

    func run() async throws {
        await cancelWhenGracefulShutdown { await body() }
    }
}
