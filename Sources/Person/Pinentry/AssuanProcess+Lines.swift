import Glibc
import Cryptography

extension AssuanProcess {
    /// Sends one command and reads lines until its `OK`. Returns the data; nil when there was none.
    ///
    /// Throws `PinentryError`: by the number of an `ERR` line, `hung` after the deadline, `ended`, or `malformed`.
    @discardableResult
    borrowing func transact(_ command: [UInt8], by deadline: ContinuousClock.Instant) throws -> LockedBytes? {
        try send(command)
        return try answer(by: deadline)
    }

    /// Reads lines until `OK`: after each command, and once at the start, for the greeting.
    @discardableResult
    borrowing func answer(by deadline: ContinuousClock.Instant) throws -> LockedBytes? {
        var data: LockedBytes?
        for _ in 0..<Self.mostLines {
            switch try reply(by: deadline) {
            case .ok: return data
            case .error(let number): throw PinentryError(number: number)
            case .data(let more): data = try Self.joined(data, more)
            // We have no answer to any inquiry. The server continues without one.
            case .inquiry: try send(Array("CAN".utf8))
            case .note: continue
            }
        }
        throw PinentryError.malformed("it goes on without an answer")
    }

    /// Waits until the server has closed its end.
    borrowing func awaitEnd(by deadline: ContinuousClock.Instant) throws {
        for _ in 0..<Self.mostLines { _ = try reply(by: deadline) }
    }

    borrowing func send(_ line: [UInt8]) throws {
        var rest = (line + [UInt8(ascii: "\n")])[...]
        while !rest.isEmpty {
            // The slice's memory is valid during the call. The kernel's buffer is far larger than our lines, so a full
            // one means that the server does not read.
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw errno == EAGAIN ? PinentryError.hung : PinentryError.ended }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads the next line, byte by byte into locked memory, since any line may contain the PIN.
    private borrowing func reply(by deadline: ContinuousClock.Instant) throws -> AssuanReply {
        let socket = socket
        var length = 0
        let line = try LockedBytes(count: AssuanText.longestLine + 2) { room in
            while true {
                guard length < room.count else { throw PinentryError.malformed("a line without end") }
                // Writes one byte into the rest of the buffer, which is not empty.
                let count = recv(
                    socket, UnsafeMutableRawBufferPointer(rebasing: room[length...]).baseAddress, 1,
                    Int32(MSG_DONTWAIT))
                if count == 1 {
                    if room[length] == UInt8(ascii: "\n") { break }
                    length += 1
                } else if count < 0, errno == EAGAIN {
                    try Self.wait(for: socket, by: deadline)
                } else if count == 0 || errno != EINTR {
                    throw PinentryError.ended
                }
            }
            if length > 0, room[length - 1] == UInt8(ascii: "\r") { length -= 1 }
        }
        return try line.withBytes { try AssuanReply(Slice(base: $0, bounds: 0..<length)) }
    }

    /// Waits until there is something to read. Throws `hung` after the deadline.
    private static func wait(for socket: Int32, by deadline: ContinuousClock.Instant) throws {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { throw PinentryError.hung }
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        // One entry. The next read notices an interruption or a time-out.
        _ = poll(&entry, 1, Int32(clamping: Int64(left / .milliseconds(1)) + 1))
    }

    private static func joined(_ first: LockedBytes?, _ second: LockedBytes) throws -> LockedBytes {
        guard let first else { return second }
        guard first.count + second.count <= mostData else { throw PinentryError.malformed("more than a PIN") }
        return try second.withBytes { try LockedBytes(first, $0) }
    }

    /// The most lines before an answer.
    private static let mostLines = 1000
    /// The longest PIN, in bytes.
    private static let mostData = 1024
}
