internal import Glibc

/// What changes when a process ends and another one gets its number, or when it goes on as another program. What was read of a process
/// in `/proc` holds where its mark was the same before and after.
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
