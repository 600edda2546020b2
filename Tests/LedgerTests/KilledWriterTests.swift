@testable import Records
import Basics
import Foundation
import Glibc
@testable import Ledger
import Cryptography
import Keys
import Testing

/// A vault whose second copy of the head is in a file, so that two processes share it.
private struct FileVault: RowSealer, LogHeadStore {
    let memory: MemoryVault
    let path: String

    func seal(_ plaintext: [UInt8], as name: String) throws -> [UInt8] { try memory.seal(plaintext, as: name) }
    func open(_ sealed: [UInt8], as name: String) throws -> [UInt8] { try memory.open(sealed, as: name) }
    func authenticate(_ message: [UInt8], for purpose: String) throws -> [UInt8] {
        try memory.authenticate(message, for: purpose)
    }
    func demandCurrent() throws {}
    func logHead() throws -> [UInt8]? { FileManager.default.contents(atPath: path).map(Array.init) }
    func setLogHead(_ sealed: [UInt8]) throws {
        try Data(sealed).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
    func isLogBegun() throws -> Bool { FileManager.default.fileExists(atPath: path + ".begun") }
    func beginLog() throws { try Data().write(to: URL(fileURLWithPath: path + ".begun")) }
}

private let homeVariable = "COUNTERSIGN_TEST_WRITER_HOME"

struct KilledWriterTests {
    private static func log(in home: String) throws -> SealedLog {
        SealedLog(
            StateDatabase(try StateDirectory(home: home, environment: [:])),
            sealer: FileVault(memory: try MemoryVault(), path: home + ".head"))
    }

    /// Writes without end; runs only in the process that `aKilledWriterLeavesAnIntactLog` starts.
    @Test(.enabled(if: ProcessInfo.processInfo.environment[homeVariable] != nil))
    func writerWithoutEnd() throws {
        let log = try Self.log(in: try #require(ProcessInfo.processInfo.environment[homeVariable]))
        while true {
            let recorded = try log.send(Sample(try RandomBytes.uuid()))
            try log.recordAnswer(.confirmed, to: recorded, at: later)
        }
    }

    @Test(.disabled(if: ProcessInfo.processInfo.environment[homeVariable] != nil))
    func aKilledWriterLeavesAnIntactLog() throws {
        let home = try TestHome()
        let log = try Self.log(in: home.path)
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var before = 0
        for _ in 0..<8 {
            let writer = try Child(
                program, ["--testing-library", "swift-testing", "--filter", "writerWithoutEnd"],
                adding: ["\(homeVariable)=\(home.path)"])
            while try log.entries().count < before + 3 { try #require(writer.isRunning) }
            usleep(.random(in: 0..<5_000))
            #expect(writer.kill())
            guard case .intact(let events, _) = try log.verify() else {
                Issue.record("\(try log.verify())")
                return
            }
            let entries = try log.entries()
            #expect(entries.count >= before + 3)
            #expect(events >= entries.count)
            before = entries.count
        }
    }
}
