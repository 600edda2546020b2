package import Basics
package import LocalSocket
package import AgentWire
import Glibc

/// Where the agent of one home is found, ended and replaced.
package struct AgentPlace: Sendable {
    /// The path of the home's directory.
    private let home: String
    /// Nil where no agent can listen.
    private let socket: SocketPlace?
    private let vault: @Sendable () throws -> String?
    private let mayAsk: Bool
    private let prompt: PromptPlace
    private let callsInPlace: Bool

    /// The parameters are those of `AgentConnection.find`.
    package init(
        home: String, socket: SocketPlace?, vault: @escaping @Sendable () throws -> String?, mayAsk: Bool,
        prompt: PromptPlace, callsInPlace: Bool
    ) {
        (self.home, self.socket, self.vault, self.mayAsk) = (home, socket, vault, mayAsk)
        (self.prompt, self.callsInPlace) = (prompt, callsInPlace)
    }

    // MARK: The agent that listens

    /// The process that listens where the agent of this home does, if any.
    package func found() throws -> AgentConnection? {
        guard let socket else { return nil }
        return try AgentConnection.find(
            at: socket, home: home, vault: vault, mayAsk: mayAsk, prompt: prompt, callsInPlace: callsInPlace)
    }

    /// Like `found`, for callers that must know whether an agent runs. Throws if one runs but listens elsewhere.
    package func listener() async throws -> AgentConnection? {
        // An agent that is starting or ending holds the lock but has no socket, or closes the connection without an answer. So
        // try again for a second.
        let end = ContinuousClock.now + .seconds(1)
        while true {
            let found = try found()
            switch found {
            case .usable, .outdated: return found
            case .silent:
                guard .now < end else { return found }
            case .foreign, nil:
                guard let holder = try AgentLock.holder(inHome: home) else { return found }
                guard .now < end else { throw Failure.hiddenAgent(holder.pid) }
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// The agent of this home, if one runs and is open. Checks the lock first: connecting to the service manager's
    /// socket would start an agent.
    package func openAgent() -> RunningAgent? {
        guard (try? AgentLock.holder(inHome: home)) != nil, case .usable(let agent)? = try? found(),
            agent.handshake.state == .open
        else { return nil }
        return agent
    }

    /// The failure for a listener that did not identify itself.
    package func silentAgent() -> Failure {
        let end = (try? socket?.holder())?.pid.map {
            "; if that does not help: kill -KILL \($0), then: \(Failure.startAgent)"
        }
        return Failure(
            .internal, "something listens where the agent does, but did not say who it is",
            hint: "run it again" + (end ?? ""))
    }

    // MARK: The process that becomes the agent

    /// The socket from the service manager, or our own. An agent of another version is ended first. Throws `cancelled` if
    /// `isInterrupted` says so meanwhile.
    package func listen(
        at place: SocketPlace, _ environment: [String: String], isInterrupted: () -> Bool
    ) async throws -> ListeningSocket {
        if let socket = try await inherited(at: place, environment, isInterrupted) { return socket }
        func attempt() throws -> ListeningSocket { try ListeningSocket.bind(at: place) }
        do {
            return try attempt()
        } catch let error as SocketError {
            guard case .running(let holder) = error, let old = try outdated(at: place, holder: holder) else {
                throw error
            }
            return try await replacing(old, isInterrupted, attempt)
        }
    }

    /// The socket from the service manager. If another agent listened at its path before, nobody can reach or lock that
    /// agent any more, so it is ended. An agent that listens elsewhere is left alone.
    private func inherited(
        at place: SocketPlace, _ environment: [String: String], _ isInterrupted: () -> Bool
    ) async throws -> ListeningSocket? {
        func attempt() throws -> ListeningSocket? {
            try ListeningSocket.inherited(at: place, environment: environment)
        }
        do {
            return try attempt()
        } catch let error as SocketError {
            guard case .running(let old?) = error, try place.neighbour()?.pid == old, Self.isOwn(old) else {
                throw error
            }
            return try await replacing(old, isInterrupted, attempt)
        }
    }

    /// Ends an agent and repeats the attempt until it has ended: it finishes its calls first.
    private func replacing<R>(
        _ old: Int32, _ isInterrupted: () -> Bool, _ attempt: () throws -> R
    ) async throws -> R {
        kill(old, SIGTERM)
        let end = ContinuousClock.now + .seconds(60)
        while true {
            do {
                return try attempt()
            } catch SocketError.running where .now < end {
                if isInterrupted() { throw Failure.cancelled }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// The process of an agent of this home and of another version: it holds the lock, says so itself, and belongs to
    /// this user.
    private func outdated(at place: SocketPlace, holder: Int32?) throws -> Int32? {
        guard let holder, holder > 1,
            case .outdated(let old) = try AgentConnection.find(at: place, home: home, vault: vault),
            old.handshake.pid == holder
        else { return nil }
        return Self.isOwn(holder) ? holder : nil
    }

    // MARK: The end of the agent

    /// How long an agent may take to end: it first waits for the answer to a decision under way.
    private static let patience = Duration.seconds(75)

    /// Ends the agent that holds the lock of this home, of any version, on any socket. Returns its process; nil if there is none.
    package func end() async throws -> Int32? {
        guard let holder = try AgentLock.holder(inHome: home) else { return nil }
        guard let pid = holder.pid, Self.isOwn(pid) else {
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
        return pid
    }

    private static func isOwn(_ process: Int32) -> Bool {
        var found = stat()
        return process > 1 && stat("/proc/\(process)", &found) == 0 && found.st_uid == geteuid()
    }
}

extension Failure {
    /// The command that starts an agent.
    package static let startAgent = "countersign agent --daemonize"

    fileprivate static func hiddenAgent(_ pid: Int32?) -> Failure {
        Failure(
            .internal,
            "an agent of this home runs\(pid.map { " (process \($0))" } ?? ""), but does not listen where this command looks for it",
            hint: "set XDG_RUNTIME_DIR as it was when the agent started, or end it: countersign agent --stop")
    }
}
