import Foundation
import Testing

/// A program that another user runs; only root can start one. It ends when it is let go, by the end of its input.
final class OtherUser {
    static let uid: UInt32 = 65534
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(perl program: String, _ arguments: String...) throws {
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["setpriv", "--reuid=\(Self.uid)", "--regid=\(Self.uid)", "--clear-groups", "perl", "-e", program]
            + arguments
        process.currentDirectoryURL = URL(filePath: "/")
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// The next line it prints.
    func line() throws -> String {
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }
}
