import AgentWire
import Basics
import Client
import Ledger
import LocalSocket

/// Finds the agent of the person's home, or starts it.
enum AgentSearch {
    @concurrent
    static func agent() async throws -> RunningAgent {
        if let agent = try await found() { return agent }
        try start()
        guard let agent = try await found() else { throw unreachable }
        return agent
    }

    /// The tag of the person's home; nil for the default one.
    static var homeTag: String? { (try? socketPlace())?.tag }

    static func home() throws -> StateDirectory { try StateDirectory(home: nil, environment: Environment.all) }

    private static func socketPlace() throws -> SocketPlace {
        var environment = Environment.all
        environment["COUNTERSIGN_HOME"] = nil
        let ordinary = try? StateDirectory(home: nil, environment: environment)
        let home = try home()
        return try SocketPlace(
            home: home.path, isDefault: home == ordinary, runtimeDirectory: Environment.value("XDG_RUNTIME_DIR"))
    }

    private static func found() async throws -> RunningAgent? {
        let home = try home()
        let socket = try socketPlace()
        // The agent of this home holds the home's lock, so its vault need not be known.
        let place = AgentPlace(
            home: home.path, socket: socket, vault: { nil }, mayAsk: true,
            prompt: PromptPlace(environment: Environment.all), callsInPlace: false)
        let listener = try await place.listener()
        return if case .usable(let agent) = listener { agent } else { nil }
    }

    /// By the program that lies beside this one. It replaces an agent of another version.
    private static func start() throws {
        let result = ProgramOutput.of(
            try OwnCommand.path(), ["agent", "--daemonize", "--quiet"], most: 65536, patience: .seconds(60))
        guard case .bytes = result else { throw unreachable }
    }

    private static let unreachable = Failure(
        .internal, "no agent runs, and none could be started", hint: "countersign agent --daemonize shows why")
}
