/// The process that asked for a decision, as the log keeps it.
package struct Requester: Sendable, Equatable, Codable {
    /// The process id when it asked.
    package var pid: Int32
    /// The user id of the process.
    package var uid: UInt32
    /// The command lines of the asking process and its ancestors, nearest first, without secrets.
    package var commands: [String]

    package init(pid: Int32, uid: UInt32, commands: [String]) {
        self.pid = pid
        self.uid = uid
        self.commands = commands
    }
}
