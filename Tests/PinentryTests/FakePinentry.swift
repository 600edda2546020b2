import Foundation
@testable import Pinentry
import Testing

/// A pinentry that gives the answers that a test sets (Tests/Support/fake-pinentry), and its log.
final class FakePinentry {
    private static let program = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Support/fake-pinentry").path
    let log = FileManager.default.temporaryDirectory.appending(path: "fake-pinentry-\(UUID().uuidString)")
    let pinentry: Pinentry

    init(
        _ answers: String..., environment: [String: String] = [:], tty: String? = nil,
        limits: Pinentry.Limits = .init(program: .seconds(30), person: 30)
    ) throws {
        var variables = ["PATH": "/usr/local/bin:/usr/bin:/bin", "FAKE_PINENTRY_LOG": log.path]
        variables["FAKE_PINENTRY_ANSWERS"] = String(decoding: try JSONEncoder().encode(answers), as: UTF8.self)
        variables.merge(environment) { $1 }
        pinentry = Pinentry(program: Self.program, environment: variables, tty: tty, limits: limits)
    }

    deinit { try? FileManager.default.removeItem(at: log) }

    /// The PIN as text; nil when none was typed.
    func pin(_ question: PinentryQuestion = .init("Say it")) throws -> String? {
        try pinentry.pin(question)?.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    func lines() throws -> [String] {
        try String(contentsOf: log, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// What the log has behind this word.
    func values(of word: String) throws -> [String] {
        try lines().filter { $0.hasPrefix(word + " ") }.map { String($0.dropFirst(word.count + 1)) }
    }

    /// Whether all its processes have ended and were reaped; a zombie would still have its process id.
    func isGone() throws -> Bool {
        let pids = try values(of: "PID").compactMap { Int32($0) }
        return !pids.isEmpty && pids.allSatisfy { kill($0, 0) != 0 && errno == ESRCH }
    }
}
