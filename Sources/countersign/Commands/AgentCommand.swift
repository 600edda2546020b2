import Agent
import ArgumentParser
import Authenticator
import FoundationEssentials
import Glibc
import Logging
import SCA
import SCACrypto
import SaltEdge
import ServiceLifecycle

struct AgentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent", abstract: "Run in the background: ask the banks, tell what waits, hold the unlock.",
        usage: "countersign agent [--daemonize] [<options>]",
        discussion: """
            Stays in the foreground, for systemd and containers; from a shell:

              countersign agent --daemonize
              countersign unlock

            Other commands find it by its socket and behave as without it, but do not ask for the PIN while it is unlocked.
            """)

    @Flag(help: "Start it in the background, and return when it is ready.") var daemonize = false
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        var options = options
        // Questions are asked where those sit who cause them.
        options.noInput = true
        let environment = ProcessInfo.processInfo.environment
        let readiness = Readiness(environment: environment)
        do {
            let context = try Context(options)
            if daemonize { return try start(environment) }
            let socket = try await listen(at: try context.socketPlace(), environment)
            let manager = ServiceManager(environment: environment)
            try await AgentProcess(context, socket).run(
                onReady: {
                    manager.ready()
                    readiness?.ready()
                }, onStop: { manager.stopping() })
        } catch {
            readiness?.failed(Failure(error).message)
            throw error
        }
    }

    private func start(_ environment: [String: String]) throws {
        var words = ["agent"]
        if let home = options.home { words += ["--home", home] }
        if let file = options.caFile { words += ["--ca-file", file] }
        let pid = try Daemon.start(arguments: words, environment: environment)
        if !options.quiet { Terminal.say("The agent runs as process \(pid); open it with: countersign unlock") }
    }

    /// The socket that the service manager passed, or our own. An agent of another version is sent away first.
    private func listen(at place: SocketPlace, _ environment: [String: String]) async throws -> ListeningSocket {
        func attempt() throws -> ListeningSocket {
            try ListeningSocket.inherited(at: place, environment: environment) ?? ListeningSocket.bind(at: place)
        }
        do {
            return try attempt()
        } catch let error as SocketError where error.code == .running {
            guard let old = try outdated(at: place) else { throw error }
            kill(old.pid, SIGTERM)
            // It finishes what is on its way.
            let end = ContinuousClock.now + .seconds(60)
            while true {
                do {
                    return try attempt()
                } catch let error as SocketError where error.code == .running && .now < end {
                    try await Task.sleep(for: .milliseconds(100))
                }
            }
        }
    }

    /// An agent of this home and another version.
    private func outdated(at place: SocketPlace) throws -> Handshake? {
        let vault = try Context(options).database.record()?.vaultID
        if case .outdated(let old) = try AgentConnection.find(at: place, vault: vault) { return old }
        return nil
    }
}
