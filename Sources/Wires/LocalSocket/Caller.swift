package import Basics
internal import Glibc

/// The process at the other end of a connection: by the kernel's credentials when it connected, and by `/proc`.
///
/// This names the program that asks. It does not stop a hostile program of the same user, which can pass on a connection,
/// run another program under its pid, or drive our own command line tool.
package struct Caller: Sendable {
    /// The process and its ancestors. Has no commands if the process ended before it could be read.
    package let requester: Requester
    /// Whether it has a controlling terminal.
    package let hasTerminal: Bool
    /// Whether it is our own command line tool, as far as we can see: it runs one of our own files or, if it is not
    /// dumpable and hides its file, has our name.
    package let isOwnProgram: Bool
    /// The program that the process belonged to when it connected; nil if it is not known. A program that the process
    /// runs later changes nothing.
    package let program: PeerProgram?
    /// Reports when the process closes the connection.
    package let presence: Presence

    package init(
        requester: Requester, hasTerminal: Bool, isOwnProgram: Bool, program: PeerProgram? = nil,
        presence: Presence = Presence()
    ) {
        self.requester = requester
        self.hasTerminal = hasTerminal
        self.isOwnProgram = isOwnProgram
        self.program = program
        self.presence = presence
    }

    /// From the credentials of a connection (SO_PEERCRED). Blocks: a sandbox may be slow to show its files.
    init(pid: Int32, uid: UInt32, presence: Presence) {
        self.presence = presence
        let before = ProcessMark(of: pid)
        let status = ProcessStatus(of: pid)
        let found = Requester.of(pid: pid, uid: uid)
        let isOwn = Self.isOwnProgram(ProgramFile(of: pid), name: status?.name ?? "")
        let belongsTo = PeerProgram(of: pid, uid: uid, isOwn: isOwn)
        // If the pid was used again in between, or the process runs another file, nothing that was read from /proc can be trusted.
        let isSame = before != nil && ProcessMark(of: pid) == before
        requester = isSame ? found : Requester(pid: pid, uid: uid, commands: [])
        hasTerminal = isSame && status.map { $0.terminal != 0 } ?? false
        isOwnProgram = isSame && isOwn
        program = isSame ? belongsTo : nil
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
        case .file(let identity): OwnFiles.hold(identity)
        case .hidden: name == "countersign"
        case .unknown: false
        }
    }
}
