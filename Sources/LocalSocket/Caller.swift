public import Basics
internal import Glibc

/// The process at the other end of a connection: by the kernel's credentials when it connected, and by `/proc`.
///
/// This names the program that asks. It does not stop a hostile program of the same user, which can pass on a connection,
/// run another program under its pid, or drive our own command line tool.
public struct Caller: Sendable {
    /// The process and its ancestors. Has no commands if the process ended before it could be read.
    public let requester: Requester
    /// Whether it has a controlling terminal.
    public let hasTerminal: Bool
    /// Whether it is our own command line tool, as far as can be told: it runs the same file as this process or, if it is
    /// not dumpable and hides its file, has our name.
    public let isOwnProgram: Bool
    /// Tells when the process closes the connection.
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
        // If the pid was reused in between, nothing that was read from /proc can be trusted.
        let isSame = ProcessStatus(of: pid)?.startTime == before.startTime
        requester = isSame ? found : Requester(pid: pid, uid: uid, commands: [])
        hasTerminal = isSame && before.terminal != 0
        isOwnProgram = isSame && isOwn
    }

    /// The file that a process runs, as far as it can be read.
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
