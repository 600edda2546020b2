public import Basics
internal import Glibc

/// Who is at the other end of a connection: what the kernel said of it when it connected, and what `/proc` says of that
/// process.
///
/// This tells honest programs apart and names who asks. It is no defence against a hostile program of the same user, which
/// can hand on a connection, run another program under its number, or drive our own command line tool.
public struct Caller: Sendable {
    /// The process and its ancestors. No commands when it was gone before it could be looked at.
    public let requester: Requester
    /// Whether it has a controlling terminal.
    public let hasTerminal: Bool
    /// Whether it is our own command line tool, as far as can be told: the very file that runs here, or, where the process
    /// is not dumpable and so does not show its file, one that goes by our name.
    public let isOwnProgram: Bool
    /// Whether it is still there.
    public let presence: Presence

    public init(requester: Requester, hasTerminal: Bool, isOwnProgram: Bool, presence: Presence = Presence()) {
        self.requester = requester
        self.hasTerminal = hasTerminal
        self.isOwnProgram = isOwnProgram
        self.presence = presence
    }

    /// From the credentials of a connection (SO_PEERCRED).
    init(pid: Int32, uid: UInt32, presence: Presence) {
        self.presence = presence
        guard let before = ProcessStatus(of: pid) else {
            (requester, hasTerminal, isOwnProgram) = (Requester(pid: pid, uid: uid, commands: []), false, false)
            return
        }
        let found = Requester.of(pid: pid, uid: uid)
        let isOwn = Self.isOwnProgram(ProgramFile(of: pid), name: before.name)
        // When the number went to another process in between, nothing that was read can be relied on.
        let isSame = ProcessStatus(of: pid)?.startTime == before.startTime
        requester = isSame ? found : Requester(pid: pid, uid: uid, commands: [])
        hasTerminal = isSame && before.terminal != 0
        isOwnProgram = isSame && isOwn
    }

    /// What can be found out about the file that a process runs.
    enum ProgramFile: Equatable {
        case file(SocketFile.Identity)
        /// The process is not dumpable, and we are not root.
        case hidden
        case unknown

        init(of pid: Int32) {
            if let found = SocketFile(following: "/proc/\(pid)/exe") {
                self = .file(found.identity)
            } else {
                self = errno == EACCES ? .hidden : .unknown
            }
        }
    }

    static func isOwnProgram(_ file: ProgramFile, name: String) -> Bool {
        switch file {
        case .file(let identity): SocketFile(following: "/proc/self/exe")?.identity == identity
        case .hidden: name == "countersign"
        case .unknown: false
        }
    }
}
