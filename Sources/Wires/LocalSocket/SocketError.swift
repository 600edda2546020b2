internal import Glibc

/// Why the agent's socket, or the agent behind it, could not be used. Equality is by code alone.
package struct SocketError: Error, Sendable, Equatable {
    package enum Code: Sendable {
        /// An agent of this home runs already; `pid` names it if that is known.
        case running
        /// A program that is no agent of ours, such as a service manager, listens at the socket's path.
        case occupied
        /// A file, a directory or a system call failed.
        case unusable
        /// The path does not fit into the address of a unix socket.
        case tooLong
        /// The service manager passed something else than one listening unix socket.
        case badActivation
        /// Nobody listens, or the agent closed the connection before anything was sent.
        case notRunning
        /// The listener belongs to another user.
        case stranger
        /// The agent went away before its whole answer came. It may have carried out the request.
        case ended
        /// No whole answer came in time. The agent may still carry out the request.
        case timedOut
        /// The answer is not HTTP/1.1 as an agent writes it.
        case malformed
        /// The answer is larger than any that an agent sends.
        case tooLarge
        /// This side cancelled the call.
        case cancelled
        /// The agent that was to run in the background ended before it was ready.
        case notStarted
    }

    package var code: Code
    /// Our own words, safe to show.
    package var reason: String
    /// Of `running`: the process that holds the lock.
    package var pid: Int32?
    /// The remedy, if there is one: a command, or a few words.
    package var remedy: String?

    package init(_ code: Code, _ reason: String, pid: Int32? = nil, remedy: String? = nil) {
        self.code = code
        self.reason = reason
        self.pid = pid
        self.remedy = remedy
    }

    package static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}

extension SocketError {
    static func running(_ pid: Int32?) -> SocketError {
        SocketError(.running, "an agent runs already" + (pid.map { " (process \($0))" } ?? ""), pid: pid)
    }

    /// `number` is an errno.
    static func unusable(_ what: String, _ number: Int32) -> SocketError {
        // strerror never gives null; its text is copied before another call can change it.
        SocketError(.unusable, "\(what): \(String(cString: strerror(number)).lowercased())")
    }

    static let ended = SocketError(.ended, "the agent went away before it answered")
    static let timedOut = SocketError(.timedOut, "the agent did not answer in time")
    static let cancelled = SocketError(.cancelled, "the call to the agent was cut short")

    static func malformed(_ what: String) -> SocketError {
        SocketError(.malformed, "the agent's answer is malformed: \(what)")
    }
}
