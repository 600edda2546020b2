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
            let socket = try await context.agentPlace.listen(
                at: context.socketPlace(), environment, isInterrupted: { countersign_interrupted() != 0 })
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

    private func end(_ context: Context) async throws {
        let pid = try await context.agentPlace.end()
        try report(pid.map { "The agent (process \($0)) has ended." } ?? "No agent runs for this home.", context)
    }

    private func report(_ words: String, _ context: Context) throws {
        if options.json {
            return try options.render(try context.ownStatus())
        }
        if !options.quiet { Terminal.say(words) }
    }
}
