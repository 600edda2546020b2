internal import Glibc

/// Why the agent's socket, or the agent behind it, could not be used. Equality is by code alone.
public struct SocketError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case running, occupied, unusable, tooLong, badActivation, notRunning, stranger, ended, timedOut, malformed,
                tooLarge, cancelled, notStarted
        }
        private var kind: Kind

        /// An agent for this home runs already; `pid` names it where that is known.
        public static let running = Code(kind: .running)
        /// Something that is no agent of ours listens at the socket's place, such as a service manager.
        public static let occupied = Code(kind: .occupied)
        /// A file, a directory or a system call failed.
        public static let unusable = Code(kind: .unusable)
        /// The path does not fit into the address of a unix socket.
        public static let tooLong = Code(kind: .tooLong)
        /// What the service manager passed is not one listening unix socket.
        public static let badActivation = Code(kind: .badActivation)
        /// Nobody listens, or the agent left before anything was sent.
        public static let notRunning = Code(kind: .notRunning)
        /// Who listens is another user.
        public static let stranger = Code(kind: .stranger)
        /// The agent went away before its whole answer came. It may have done what it was asked.
        public static let ended = Code(kind: .ended)
        /// No whole answer came in time. The agent may still do what it was asked.
        public static let timedOut = Code(kind: .timedOut)
        /// What came back is not HTTP/1.1 as it is spoken here.
        public static let malformed = Code(kind: .malformed)
        /// More came back than is ever sent.
        public static let tooLarge = Code(kind: .tooLarge)
        /// Cut short from this side.
        public static let cancelled = Code(kind: .cancelled)
        /// The agent that was to run in the background ended before it was ready.
        public static let notStarted = Code(kind: .notStarted)
    }

    public var code: Code
    /// Our own words, safe to show.
    public var reason: String
    /// Of `running`: the process that holds the lock.
    public var pid: Int32?
    /// What to do about it, where that can be said: a command, or a few words.
    public var remedy: String?

    public init(_ code: Code, _ reason: String, pid: Int32? = nil, remedy: String? = nil) {
        self.code = code
        self.reason = reason
        self.pid = pid
        self.remedy = remedy
    }

    public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
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
