import Basics
package import LocalSocket
package import AgentWire

/// The program that listens at the agent's socket.
package enum AgentConnection: Sendable {
    /// An agent of this version and this home.
    case usable(RunningAgent)
    /// An agent of this home and another version: it should be replaced, and no command uses it.
    case outdated(RunningAgent)
    /// An agent of another home, or a program that is no agent: it is left alone, and no command uses it.
    case foreign
    /// A program that listens and did not answer: it is about to end, has too many callers or is in trouble. No command
    /// uses it, and none knows whether it holds an unlock.
    case silent

    /// How long an agent may take to answer with its handshake.
    private static let patience = Duration.seconds(10)

    /// Asks the program that listens on the socket for its handshake, in blocking calls. Nil when nobody listens. Throws a
    /// `Failure` when it cannot be asked.
    ///
    /// The agent of this home is the process that holds the home's lock. Between containers, where pids differ, it is the
    /// agent that names the home's vault.
    ///
    /// - Parameters:
    ///   - home: the path of the home.
    ///   - vault: the home's vault id; nil while no PIN is set.
    ///   - mayAsk: whether the agent may ask questions for this command.
    ///   - prompt: where they may appear.
    ///   - callsInPlace: whether calls block the thread that makes them, for a command that has nothing else to do.
    package static func find(
        at place: SocketPlace, home: String, vault: () throws -> String?, version: String = ProductVersion.text,
        mayAsk: Bool = true, prompt: PromptPlace = PromptPlace(), callsInPlace: Bool = false
    ) throws -> AgentConnection? {
        do {
            guard let client = try LocalClient(connectingTo: place.path) else { return nil }
            let rules = AgentVerbs.handshake.rules
            let answer = try client.send(rules.method.rawValue, rules.path.text, timeout: patience)
            if answer.status >= 500 { return .silent }
            guard answer.status == 200, let handshake = try? JSONForm.decode(Handshake.self, from: answer.body),
                try isHolder(handshake.pid, of: home) || handshake.vault == vault()
            else { return .foreign }
            let agent = RunningAgent(
                client: AgentClient(
                    of: place.path, headers: prompt.headers(mayAsk: mayAsk), connection: client,
                    inPlace: callsInPlace), handshake: handshake)
            let isCurrent = handshake.version == version && handshake.api == Handshake.api
            return isCurrent ? .usable(agent) : .outdated(agent)
        } catch let error as SocketError {
            var failure = Failure(error, after: .none)
            switch error {
            case .notRunning, .ended: return .silent
            case .malformed, .tooLarge: return .foreign
            case .timedOut: failure.hint = remedy(at: place)
            case .running, .anotherRuns, .occupied, .unusable, .tooLong, .badActivation, .stranger, .cancelled,
                .notStarted:
                break
            }
            throw failure
        }
    }

    private static func isHolder(_ pid: Int32, of home: String) throws(SocketError) -> Bool {
        try AgentLock.holder(inHome: home)?.pid == pid
    }

    /// An agent that does not answer may not hear an ordinary signal either.
    private static func remedy(at place: SocketPlace) -> String {
        let end = (try? place.holder())?.pid.map { "kill -KILL \($0)" } ?? "end what listens at \(place.path)"
        return "\(end), then: countersign agent --daemonize"
    }
}
