import Basics
import Foundation
import Glibc
import Keys
@testable import Ledger
import Testing

struct StateLockTests {
    /// Another process that holds the lock of `home`, with its pid inside.
    private func holder(of home: TestHome) throws -> Child {
        try home.directory().make()
        let lock = home.path + "/lock"
        let child = try Child(
            "/usr/bin/flock", ["--no-fork", lock, "/bin/sh", "-c", "echo $$ > \"$0\"; exec sleep 600", lock])
        while FileManager.default.contents(atPath: lock)?.last != UInt8(ascii: "\n") { try #require(child.isRunning) }
        return child
    }

    @Test func anotherHolderIsNamed() throws {
        let home = try TestHome()
        let child = try holder(of: home)
        let database = try home.database(patience: .milliseconds(50))
        let error = StoreError.busy("process \(child.pid) holds the lock \(home.path)/lock")
        #expect(throws: error) { try database.update { $0 } }
        // Reading needs no lock.
        #expect(try database.record() == nil)
        #expect(child.isRunning)
    }

    @Test func aKilledHolderHoldsNothing() throws {
        let home = try TestHome()
        let child = try holder(of: home)
        #expect(child.kill())
        #expect(try StateLock(home.directory(), patience: .milliseconds(50)).hold { true })
    }

    @Test func itsHoldersPIDStandsInside() throws {
        let home = try TestHome()
        try StateLock(home.directory()).hold {
            #expect(
                FileManager.default.contents(atPath: home.path + "/lock")
                    == Data("\(getpid())".padding(toLength: 11, withPad: "\n", startingAt: 0).utf8))
        }
    }

    @Test func whoHoldsItMayTakeItAgain() throws {
        let home = try TestHome()
        let lock = StateLock(try home.directory(), patience: .milliseconds(50))
        let same = StateLock(
            try StateDirectory(home: home.path + "/../home", environment: [:]), patience: .milliseconds(50))
        #expect(try lock.hold { try same.hold { try lock.hold { true } } })
        // The lock is free afterwards, also after an error.
        #expect(throws: MemoryVault.Refused.self) { try lock.hold { throw MemoryVault.Refused() } }
        #expect(try same.hold { true })
    }

    @Test func threadsTakeTurns() async throws {
        let home = try TestHome()
        let directory = try home.directory()
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<25 {
                        try StateLock(directory).hold {
                            // Fails when another is inside.
                            #expect(mkdir(directory.path + "/inside", 0o700) == 0)
                            sched_yield()
                            #expect(rmdir(directory.path + "/inside") == 0)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func aRemovedLockFileIsMadeAnew() throws {
        let home = try TestHome()
        let lock = StateLock(try home.directory(), patience: .milliseconds(50))
        try lock.hold { #expect(unlink(home.path + "/lock") == 0) }
        #expect(try lock.hold { FileManager.default.fileExists(atPath: home.path + "/lock") })
    }
}
