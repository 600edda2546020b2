import Client
import Agent
import ArgumentParser
import Basics
import CPlatform
import CTerminal
import Desktop
import FoundationEssentials
import Glibc
import LocalSocket

struct AgentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent", abstract: "Run in the background: poll the banks, announce requests, stay unlocked.",
        usage: "countersign agent [--daemonize | --stop] [<options>]",
        discussion: """
            Runs in the foreground, for systemd and containers. From a shell:

              countersign agent --daemonize
              countersign unlock
              countersign agent --stop

            Each home has at most one agent; a second one ends with exit code 10. Other commands find the agent by its \
            socket. They work as without it, but ask for no PIN while it is unlocked. It starts locked, even with a \
            PIN file. States, settings and socket: man countersign-agent

            In the background it ends with your login session, and writes messages to the system's log. In the \
            foreground it writes them to standard error.
            """)

    @Flag(help: "Start in the background, and return when the agent is ready.") var daemonize = false
    @Flag(
        help:
            "End the agent of this home after its calls to banks, and wait for that."
    )
    var stop = false
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard !daemonize || !stop else { throw ValidationError("--daemonize and --stop contradict each other") }
    }

    func run() async throws {
        if stop { return try await end(try Context(options, settings: .loadOrWarn())) }
        var options = options
        // The agent asks on the display or terminal of the command that caused the question, never on its own.
        options.noInput = true
        let environment = ProcessInfo.processInfo.environment
        let readiness = Readiness(environment: environment)
        warnOfWhatChangesNothing()
        do {
            let context = try Context(options)
            if daemonize { return try await start(context, environment) }
            // Overwrites freed memory, so that nothing stays there after a lock.
            countersign_wipe_freed_memory()
            // Once somebody can find the agent, a signal ends it in order.
            countersign_interrupts_hold(2)
            let socket = try await listen(at: try context.socketPlace(), environment)
            let manager = ServiceManager(environment: environment)
            // A background process has no standard error that anybody reads.
            let journal = readiness == nil ? { @Sendable in Terminal.say($0) } : Self.log
            // An agent that a person started in the background belongs to that person's session.
            let origin = readiness == nil ? nil : SessionOrigin(environment: environment)
            try await AgentProcess(context, socket, origin: origin, journal: journal).run(
                onReady: {
                    manager.ready()
                    readiness?.ready()
                }, onStop: { manager.stopping() })
        } catch {
            ListeningSocket.turnAway(environment: environment)
            if let readiness {
                readiness.failed(Failure(error).told)
                Self.log("error: \(Failure(error).message)")
            }
            throw error
        }
    }

    private func warnOfWhatChangesNothing() {
        if options.pinFile != nil {
            Terminal.say("warning: --pin-file opens no agent; this does: countersign unlock --pin-file PATH")
        }
        if daemonize, options.verbose {
            Terminal.say("warning: an agent in the background has nowhere to name its calls; --verbose changes nothing")
        }
    }

    /// Writes a line to the system's log (syslog(3)).
    private static let log: @Sendable (String) -> Void = { line in
        // The text lives through the call, and is an argument, not the format.
        line.withCString { text in withVaList([text]) { vsyslog(LOG_WARNING, "%s", $0) } }
    }

    private func start(_ context: Context, _ environment: [String: String]) async throws {
        var words = ["agent"]
        if let home = options.home { words += ["--home", home] }
        if let file = options.caFile { words += ["--ca-file", file] }
        let pid = try Daemon.start(arguments: words, environment: environment)
        if options.json { return try options.render(try await context.status()) }
        if !options.quiet { Terminal.say("The agent runs as process \(pid); open it with: countersign unlock") }
    }

    /// The socket from the service manager, or our own. An agent of another version is ended first.
    private func listen(at place: SocketPlace, _ environment: [String: String]) async throws -> ListeningSocket {
        if let socket = try await inherited(at: place, environment) { return socket }
        func attempt() throws -> ListeningSocket { try ListeningSocket.bind(at: place) }
        do {
            return try attempt()
        } catch let error as SocketError {
            guard case .running(let holder) = error, let old = try outdated(at: place, holder: holder) else {
                throw error
            }
            return try await replacing(old, attempt)
        }
    }

    /// The socket from the service manager. If another agent listened at its path before, nobody can reach or lock that
    /// agent any more, so it is ended. An agent that listens elsewhere is left alone.
    private func inherited(at place: SocketPlace, _ environment: [String: String]) async throws -> ListeningSocket? {
        func attempt() throws -> ListeningSocket? {
            try ListeningSocket.inherited(at: place, environment: environment)
        }
        do {
            return try attempt()
        } catch let error as SocketError {
            guard case .running(let old?) = error, try place.neighbour()?.pid == old, isOwn(old) else { throw error }
            return try await replacing(old, attempt)
        }
    }

    /// Ends an agent and repeats the attempt until it has ended: it finishes its calls first.
    private func replacing<R>(_ old: Int32, _ attempt: () throws -> R) async throws -> R {
        kill(old, SIGTERM)
        let end = ContinuousClock.now + .seconds(60)
        while true {
            do {
                return try attempt()
            } catch SocketError.running where .now < end {
                if countersign_interrupted() != 0 { throw Failure.cancelled }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// The process of an agent of this home and of another version: it holds the lock, says so itself, and belongs to
    /// this user.
    private func outdated(at place: SocketPlace, holder: Int32?) throws -> Int32? {
        let database = try Context(options).database
        guard let holder, holder > 1,
            case .outdated(let old) = try AgentConnection.find(
                at: place, home: database.directory.path, vault: { try database.record()?.vaultID }),
            old.handshake.pid == holder
        else { return nil }
        return isOwn(holder) ? holder : nil
    }

    /// Ends the agent that holds the lock of this home, of any version, on any socket.
    private func end(_ context: Context) async throws {
        let home = context.database.directory.path
        guard let holder = try AgentLock.holder(inHome: home) else {
            return try report("No agent runs for this home.", context)
        }
        guard let pid = holder.pid, isOwn(pid) else {
            throw Failure(
                .internal, "an agent of this home runs, but which process it is cannot be told",
                hint: "end it where it runs")
        }
        kill(pid, SIGTERM)
        let end = ContinuousClock.now + Self.patience
        while try AgentLock.holder(inHome: home)?.pid == pid {
            guard .now < end else {
                throw Failure(
                    .internal, "the agent (process \(pid)) did not end",
                    hint:
                        "kill -KILL \(pid); what became of a decision on its way shows at the next: countersign pending"
                )
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        try report("The agent (process \(pid)) has ended.", context)
    }

    /// How long an agent may take to end: it first waits for the answer to a decision under way.
    private static let patience = Duration.seconds(75)

    private func report(_ words: String, _ context: Context) throws {
        if options.json {
            return try options.render(try context.ownStatus())
        }
        if !options.quiet { Terminal.say(words) }
    }

    private func isOwn(_ process: Int32) -> Bool {
        var found = stat()
        return process > 1 && stat("/proc/\(process)", &found) == 0 && found.st_uid == geteuid()
    }
}
