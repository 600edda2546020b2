/// The process that asked for a decision, as the log keeps it.
public struct Requester: Sendable, Equatable, Codable {
    /// The process id when it asked.
    public var pid: Int32
    /// The user id of the process.
    public var uid: UInt32
    /// The command lines of the asking process and its ancestors, nearest first, without secrets.
    public var commands: [String]

    public init(pid: Int32, uid: UInt32, commands: [String]) {
        self.pid = pid
        self.uid = uid
        self.commands = commands
    }
}
