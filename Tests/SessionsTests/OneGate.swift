import Basics
import Keys

@testable import Sessions

/// A gate that finds every PIN right, and opens an empty vault.
struct OneGate: PINGate {
    struct Unprovided: Error {}

    private struct Nothing: OpenVault {
        func store(_ secrets: EnrolledSecrets, as id: KeyID) throws { throw Unprovided() }
        func load<Value>(_ name: SecretName<Value>, of id: KeyID) throws -> Value { throw Unprovided() }
        func readAhead() {}
        func destroy(_ name: String, of id: KeyID) throws { throw Unprovided() }
        func destroy(_ id: KeyID) throws { throw Unprovided() }
        func keyIDs() throws -> Set<KeyID> { throw Unprovided() }
        func seal(_ plaintext: [UInt8], as name: String) throws -> [UInt8] { throw Unprovided() }
        func open(_ sealed: [UInt8], as name: String) throws -> [UInt8] { throw Unprovided() }
        func authenticate(_ message: [UInt8], for purpose: String) throws -> [UInt8] { throw Unprovided() }
        func demandCurrent() throws { throw Unprovided() }
        func logHead() throws -> [UInt8]? { throw Unprovided() }
        func setLogHead(_ sealed: [UInt8]) throws { throw Unprovided() }
        func isLogBegun() throws -> Bool { throw Unprovided() }
        func beginLog() throws { throw Unprovided() }
        func sessionsKey() throws -> any SecretSealer { throw Unprovided() }
    }

    func status() throws -> PINStatus { throw Unprovided() }
    func set(_ pin: any Secret) throws -> any OpenVault { throw Unprovided() }
    func open(with pin: any Secret, from source: PINSource) throws -> any OpenVault { Nothing() }
    func change(_ old: any Secret, to new: any Secret, from source: PINSource) throws { throw Unprovided() }
    func reset() throws { throw Unprovided() }
}

extension ProvedPIN {
    /// As after a right PIN.
    static func entered() throws -> ProvedPIN { try OneGate().prove(MemorySecret("275910"), from: .person) }
}
