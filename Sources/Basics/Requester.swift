/// Who asked for a decision, kept in the log.
public struct Requester: Sendable, Equatable, Codable {
    public var pid: Int32
    public var uid: UInt32
    /// The command lines of the asking process and its ancestors, nearest first, without secrets.
    public var commands: [String]

    public init(pid: Int32, uid: UInt32, commands: [String]) {
        self.pid = pid
        self.uid = uid
        self.commands = commands
    }
}
