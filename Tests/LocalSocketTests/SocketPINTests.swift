import Foundation
import Hummingbird
@testable import LocalSocket
import Cryptography
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct PINBodies {
    private func request(_ pieces: [ByteBuffer]) -> Request {
        let (stream, source) = AsyncStream.makeStream(of: ByteBuffer.self)
        for piece in pieces { source.yield(piece) }
        source.finish()
        return Request(
            head: HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/"), body: .init(asyncSequence: stream)
        )
    }

    /// What is in the memory of a buffer, which a copy of it shares.
    private func isWiped(_ buffer: ByteBuffer) -> Bool {
        buffer.withUnsafeReadableBytes { bytes in bytes.allSatisfy { $0 == 0 } }
    }

    @Test(arguments: [["271828"], ["27", "18", "28"], ["", "271828", ""], [String(repeating: "7", count: 1024)]])
    func aPinIsTakenAndOverwrittenWhereItWas(_ texts: [String]) async throws {
        let pieces = texts.map { ByteBuffer(string: $0) }
        let pin = try #require(try await PINBody.read(request(pieces)))
        #expect(pin.withBytes { String(decoding: $0, as: UTF8.self) } == texts.joined())
        #expect(pieces.allSatisfy(isWiped))
    }

    @Test func onlyTheBodyIsOverwritten() async throws {
        let received = ByteBuffer(string: "head 271828 next")
        let piece = try #require(received.getSlice(at: 5, length: 6))
        _ = try await PINBody.read(request([piece]))
        #expect(String(buffer: received) == "head \0\0\0\0\0\0 next")
    }

    @Test(arguments: [[], [""]]) func nothingIsNoPin(_ texts: [String]) async throws {
        #expect(try await PINBody.read(request(texts.map { ByteBuffer(string: $0) })) == nil)
    }

    @Test(arguments: [[1025], [1000, 25], [1000, 25, 1000], [100_000]])
    func oneByteTooManyIsRefusedAndOverwritten(_ sizes: [Int]) async throws {
        let pieces = sizes.map { ByteBuffer(string: String(repeating: "7", count: $0)) }
        let error = await #expect(throws: HTTPError.self) { try await PINBody.read(request(pieces)) }
        #expect(error?.status == .contentTooLarge)
        #expect(pieces.allSatisfy(isWiped))
    }

    @Test func aPinThatCrossedTheSocketIsNowhereElseInMemory() async throws {
        let fixture = try SocketServerFixture { request, _ in
            guard let pin = try await PINBody.read(request) else { return Response(status: .badRequest) }
            return Response(status: pin.count == 64 ? .ok : .badRequest)
        }
        let client = try fixture.client()
        let pin = try LockedBytes.random(64)
        for length in [1, 1900, 9000] {
            let headers = [("x", String(repeating: "y", count: length))]
            let sent = try pin.withBytes { try LockedBytes(copying: $0) }
            #expect(
                try await onThread { try client.send("POST", "/", headers: headers, body: .secret(sent)).status } == 200
            )
            // It was wiped as soon as it was sent.
            #expect(sent.count == 0)
        }
        // The test's own, and no other; a freed slot was wiped.
        #expect(try copies(of: pin) == 1)
        await fixture.shutDown()
        try await fixture.end()
    }

    @Test func theServerRefusesATooLongPin() async throws {
        let fixture = try SocketServerFixture { request, _ in
            Response(status: try await PINBody.read(request) == nil ? .noContent : .ok)
        }
        let client = try fixture.client()
        let statuses = try await onThread {
            try [0, 1, 1024, 1025, 5000].map { count in
                try client.send("POST", "/", body: .secret(LockedBytes.random(count))).status
            }
        }
        #expect(statuses == [204, 200, 200, 413, 413])
        await fixture.shutDown()
        try await fixture.end()
    }

    /// How often the bytes stand in this process's writable memory.
    private func copies(of secret: LockedBytes) throws -> Int {
        let memory = open("/proc/self/mem", O_RDONLY)
        try #require(memory >= 0)
        defer { close(memory) }
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/maps"))
        let maps = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        var found = 0
        // Pages that are not C's to give out again while they are read.
        let size = 1 << 20
        let room = try #require(
            mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        defer { munmap(room, size) }
        for line in maps.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 1, fields[1].hasPrefix("rw") else { continue }
            let ends = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard ends.count == 2, !(ends[0]..<ends[1]).contains(UInt64(UInt(bitPattern: room))) else { continue }
            var at = ends[0]
            while at < ends[1] {
                // At most the room's own length is written into it; what cannot be read is passed over.
                let count = pread(memory, room, min(size, Int(ends[1] - at)), off_t(at))
                guard count > 0 else { break }
                secret.withBytes { bytes in
                    guard count >= bytes.count, let secret = bytes.baseAddress else { return }
                    let last = room + count - bytes.count
                    var from = UnsafeMutableRawPointer(room)
                    // Looks for the first byte up to the last place where all of them can stand, then compares them.
                    while from <= last, let hit = memchr(from, Int32(bytes[0]), last - from + 1) {
                        if memcmp(hit, secret, bytes.count) == 0 { found += 1 }
                        from = hit + 1
                    }
                }
                // Parts overlap, so that nothing is missed at their ends.
                at += UInt64(count == Int(ends[1] - at) || count < secret.count ? count : count - secret.count + 1)
            }
        }
        return found
    }
}
