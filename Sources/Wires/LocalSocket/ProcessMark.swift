internal import Glibc

/// Distinguishes a process from a later one with the same pid, and from the same process running another program.
/// Values read from `/proc` belong together if the mark was the same before and after reading them.
struct ProcessMark: Equatable {
    /// See `ProcessStatus`.
    var startTime: UInt64
    /// The file that it runs; nil where it hides that.
    var file: String?

    /// Nil when there is no such process.
    init?(of pid: Int32, root: String = "/proc") {
        guard let status = ProcessFile.contents("\(root)/\(pid)/stat").flatMap(ProcessStatus.init(_:)) else {
            return nil
        }
        startTime = status.startTime
        file = ProcessFile.link("\(root)/\(pid)/exe")
    }
}
