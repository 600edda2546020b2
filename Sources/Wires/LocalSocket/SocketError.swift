internal import Glibc

/// Why the agent's socket, or the agent behind it, could not be used. Texts are our own words, safe to show; a remedy is a command,
/// or a few words.
package enum SocketError: Error, Sendable, Equatable {
    /// An agent of this home runs already; `pid` names it if that is known.
    case running(pid: Int32?)
    /// The same, in the words of a process that was to run in the background.
    case anotherRuns(String)
    /// A program that is no agent of ours, such as a service manager, listens at the socket's path.
    case occupied(path: String)
    /// A file, a directory or a system call failed.
    case unusable(String, remedy: String? = nil)
    /// The path does not fit into the address of a unix socket.
    case tooLong(String, remedy: String? = nil)
    /// The service manager passed something else than one listening unix socket.
    case badActivation(String)
    /// Nobody listens, or the agent closed the connection before anything was sent.
    case notRunning(String)
    /// The listener belongs to another user.
    case stranger(path: String, uid: UInt32)
    /// The agent went away before its whole answer came. It may have carried out the request.
    case ended
    /// No whole answer came in time. The agent may still carry out the request.
    case timedOut
    /// The answer is not HTTP/1.1 as an agent writes it.
    case malformed(String)
    /// The answer is larger than any that an agent sends.
    case tooLarge(String)
    /// This side cancelled the call.
    case cancelled
    /// The agent that was to run in the background ended before it was ready.
    case notStarted(String)

    /// Our own words, safe to show.
    package var reason: String {
        switch self {
        case .running(let pid): "an agent runs already" + (pid.map { " (process \($0))" } ?? "")
        case .occupied(let path): "something listens at \(path) already, but is no agent of this home"
        case .stranger(let path, let uid): "the process that listens at \(path) belongs to another user (uid \(uid))"
        case .ended: "the agent went away before it answered"
        case .timedOut: "the agent did not answer in time"
        case .malformed(let fault): "the agent's answer is malformed: \(fault)"
        case .cancelled: "the call to the agent was cut short"
        case .unusable(let reason, _), .tooLong(let reason, _), .anotherRuns(let reason), .badActivation(let reason),
            .notRunning(let reason), .tooLarge(let reason), .notStarted(let reason):
            reason
        }
    }

    /// The system refused; `number` is an errno.
    static func system(_ place: String, _ number: Int32) -> SocketError {
        // strerror never gives null; its text is copied before another call can change it.
        .unusable("\(place): \(String(cString: strerror(number)).lowercased())")
    }
}
