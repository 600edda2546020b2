import Foundation
import Testing

/// Another user than the one who runs the tests, without root (Tests/Support/another-user).
package enum AnotherUser {
    /// The words that run a command as that user. Throws where there is no other user.
    package static func words() throws -> [String] {
        try run("id")
        return [helper, "run"]
    }

    /// Runs `work` while the other user owns the file or directory.
    package static func owning<R>(_ path: String, _ work: () throws -> R) throws -> R {
        try run("give", path)
        let result = Result { try work() }
        try run("take", path)
        return try result.get()
    }

    private static let helper = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Support/another-user").standardizedFileURL.path

    private static func run(_ words: String...) throws {
        let process = Process()
        let errors = Pipe()
        process.executableURL = URL(filePath: helper)
        process.arguments = words
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let said = try errors.fileHandleForReading.readToEnd() ?? Data()
        // Two threads that wait by a run loop at the same time wait for ever.
        while process.isRunning { usleep(1000) }
        try #require(process.terminationStatus == 0, "\(String(decoding: said, as: UTF8.self))")
    }
}
