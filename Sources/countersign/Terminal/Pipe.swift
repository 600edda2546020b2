import Basics
import Glibc

/// A non-blocking pipe within this process. Both ends stay open for the whole run.
struct Pipe {
    let reader: Int32
    let writer: Int32

    /// Throws if the system has no pipe left.
    init() throws {
        var ends: [Int32] = [-1, -1]
        // Two descriptors into an array of two.
        guard pipe(&ends) == 0,
            ends.allSatisfy({ fcntl($0, F_SETFD, FD_CLOEXEC) == 0 && fcntl($0, F_SETFL, O_NONBLOCK) == 0 })
        else { throw Failure(.internal, "cannot create a pipe") }
        (reader, writer) = (ends[0], ends[1])
    }
}
