@testable import Agent
import Basics
import Keys
import Synchronization
import Testing

@Suite struct AgentVaultTests {
    /// A decision that is sent a second time, after the bank told its clock, holds the vault open no longer than its answer.
    @Test(arguments: [1, 2, 3]) func aHoldEndsWithItsDecision(_ sendings: Int) throws {
        let vault = AgentVault(FakeVault())
        let lease = vault.lease()
        for _ in 0..<sendings { try lease.begin() }
        vault.close()
        #expect(try vault.keyIDs() == [])
        lease.end()
        #expect(throws: Failure.self) { try vault.keyIDs() }
        #expect(throws: Failure.self) { try lease.begin() }
    }

    @Test func eachHoldCountsByItself() throws {
        let vault = AgentVault(FakeVault())
        let (one, two) = (vault.lease(), vault.lease())
        try one.begin()
        try two.begin()
        vault.close()
        one.end()
        one.end()
        #expect(try vault.keyIDs() == [])
        two.end()
        #expect(throws: Failure.self) { try vault.keyIDs() }
    }

    /// A secret that was read while it was destroyed is not kept.
    @Test func aReadThatCrossesADestructionKeepsNothing() throws {
        let reads = Mutex(0)
        let inner = FakeVault()
        let vault = AgentVault(inner)
        inner.token = { [weak vault] in
            reads.withLock { $0 += 1 }
            try vault?.destroy(KeyID("a"))
            return MemorySecret()
        }
        _ = try vault.load(.token, of: KeyID("a"))
        _ = try vault.load(.token, of: KeyID("a"))
        #expect(reads.withLock { $0 } == 2)
        inner.token = {
            reads.withLock { $0 += 1 }
            return MemorySecret()
        }
        _ = try vault.load(.token, of: KeyID("a"))
        _ = try vault.load(.token, of: KeyID("a"))
        #expect(reads.withLock { $0 } == 3, "what crosses nothing is kept")
    }
}

private final class MemorySecret: Secret {
    let count = 0

    func wipe() {}

    func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try body(.init(start: nil, count: 0))
    }
}

/// An open vault without content, but for the token that a test gives it.
private final class FakeVault: KeyStore, RowSealer, LogHeadStore, SessionsKeyStore {
    func sessionsKey() throws -> any SecretSealer { throw Nothing() }

    struct Nothing: Error {}

    private let tokenReader = Mutex<@Sendable () throws -> any Secret>({ throw Nothing() })
    var token: @Sendable () throws -> any Secret {
        get { tokenReader.withLock { $0 } }
        set { tokenReader.withLock { $0 = newValue } }
    }

    func store(_ secrets: EnrolledSecrets, as id: KeyID) throws {}
    func load<Value>(_ name: SecretName<Value>, of id: KeyID) throws -> Value { try name.kind.open(token()) }
    func readAhead() {}
    func destroy(_ name: String, of id: KeyID) throws {}
    func destroy(_ id: KeyID) throws {}
    func keyIDs() throws -> Set<KeyID> { [] }
    func seal(_ plaintext: [UInt8], as name: String) throws -> [UInt8] { plaintext }
    func open(_ sealed: [UInt8], as name: String) throws -> [UInt8] { sealed }
    func authenticate(_ message: [UInt8], for purpose: String) throws -> [UInt8] { message }
    func demandCurrent() throws {}
    func logHead() throws -> [UInt8]? { nil }
    func setLogHead(_ sealed: [UInt8]) throws {}
    func isLogBegun() throws -> Bool { false }
    func beginLog() throws {}
}
