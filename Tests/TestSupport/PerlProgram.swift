import Foundation

/// A program of another process, of this user or of another. It ends when it is let go.
package final class PerlProgram: Sendable {
    package enum User { case own, another }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    package init(_ program: String, _ arguments: String..., as user: User = .own) throws {
        let start = user == .another ? try AnotherUser.words() : []
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = start + ["perl", "-e", program] + arguments
        process.currentDirectoryURL = URL(filePath: "/")
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        // Not by the end of its input, of which a program that was started later may hold the other end, and not by SIGTERM, which the
        // thread that started it may have blocked for it, too. It was not waited for yet, so the number is its own.
        kill(process.processIdentifier, SIGKILL)
        // Two threads that wait by a run loop at the same time wait for ever.
        while process.isRunning { usleep(1000) }
    }

    /// The next line it prints. Blocks.
    package func line() throws -> String {
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }
}
