@testable import Agent
import Basics
import Cryptography
import Keys
import Sessions
import Synchronization

struct Unprovided: Error, CustomStringConvertible {
    var description: String
    init(_ name: String) { description = "the test did not provide \(name)" }
}

/// Keeps secrets in memory, but really seals rows.
final class MemoryVault: KeyStore, RowSealer, LogHeadStore, SessionsKeyStore {
    struct Contents {
        var secrets: [KeyID: EnrolledSecrets] = [:]
        var head: [UInt8]?
        var isBegun = false
        var isDestroyed = false
        var hasSessionsKey = true
    }

    let contents = Mutex(Contents())
    private let master: LockedBytes

    init() throws { master = try LockedBytes.random(32) }

    func store(_ secrets: EnrolledSecrets, as id: KeyID) throws { contents.withLock { $0.secrets[id] = secrets } }
    func load<Value>(_ name: SecretName<Value>, of id: KeyID) throws -> Value {
        guard let found = contents.withLock({ $0.secrets[id] }) else {
            throw SecretServiceError(.itemMissing, "no such secret")
        }
        return try found.load(name)
    }
    func readAhead() {}
    func sessionsKey() throws -> any SecretSealer {
        guard contents.withLock({ $0.hasSessionsKey }) else { throw Unprovided("sessionsKey") }
        return MemorySessionsKey(try key("sessions"))
    }
    func destroy(_ name: String, of id: KeyID) throws { contents.withLock { $0.secrets[id]?.remove(name) } }
    func destroy(_ id: KeyID) throws { contents.withLock { $0.secrets[id] = nil } }
    func keyIDs() throws -> Set<KeyID> { contents.withLock { Set($0.secrets.keys) } }

    func seal(_ plaintext: [UInt8], as name: String) throws -> [UInt8] {
        let key = try key("rows")
        return try plaintext.withUnsafeBytes { try AEAD.seal($0, key: key, name: name) }
    }
    func open(_ sealed: [UInt8], as name: String) throws -> [UInt8] {
        try AEAD.open(sealed, key: key("rows"), name: name).withBytes(Array.init)
    }
    func authenticate(_ message: [UInt8], for purpose: String) throws -> [UInt8] {
        try Digest.hmacSHA256(message, key: key("mac " + purpose))
    }
    func demandCurrent() throws { if contents.withLock({ $0.isDestroyed }) { throw PINError.notSet } }
    func logHead() throws -> [UInt8]? { contents.withLock { $0.head } }
    func setLogHead(_ sealed: [UInt8]) throws { contents.withLock { $0.head = sealed } }
    func isLogBegun() throws -> Bool { contents.withLock { $0.isBegun } }
    func beginLog() throws { contents.withLock { $0.isBegun = true } }
    private func key(_ info: String) throws -> LockedBytes {
        try HKDF.derive(master, salt: [], info: info, count: 32)
    }
}

/// Really seals.
struct MemorySessionsKey: SecretSealer {
    private let key: LockedBytes

    init(_ key: LockedBytes) { self.key = key }

    func seal(_ plaintext: [UInt8], beside secrets: [any Secret], as name: String) throws -> [UInt8] {
        try AEAD.seal(LockedBytes(joining: plaintext, secrets), key: key, name: name)
    }
    func open(_ sealed: [UInt8], as name: String) throws -> (plaintext: [UInt8], secrets: [any Secret]) {
        try AEAD.open(sealed, key: key, name: name).split()
    }
    func authenticate(_ message: [UInt8], for purpose: String) throws -> [UInt8] {
        try Digest.hmacSHA256(Array(purpose.utf8) + message, key: key)
    }
    func demandCurrent() throws {}
}

/// A gate in front of a vault, with one PIN and nine tries.
final class MemoryGate: PINGate {
    struct State {
        var pin: String? = MemoryGate.pin
        /// The id of the PIN.
        var id: String? = "first"
        var triesLeft = 9
        /// Where each PIN came from.
        var sources: [PINSource] = []
        /// Runs while a PIN is being checked.
        var whileOpening: @Sendable () -> Void = {}
    }

    static let pin = "275910"
    static let wrong = "999111"
    let state = Mutex(State())
    let vault: MemoryVault

    init(_ vault: MemoryVault) { self.vault = vault }

    func status() throws -> PINStatus {
        state.withLock { PINStatus(isSet: $0.pin != nil, triesLeft: $0.triesLeft, blockedFor: nil) }
    }

    func open(with pin: any Secret, from source: PINSource) throws -> any OpenVault {
        let text = pin.withBytes { String(decoding: $0, as: UTF8.self) }
        let whileOpening = state.withLock { $0.whileOpening }
        whileOpening()
        try state.withLock { state in
            state.sources.append(source)
            guard let right = state.pin else { throw PINError.notSet }
            guard text == right else {
                state.triesLeft -= 1
                throw PINError.wrong(triesLeft: state.triesLeft)
            }
            state.triesLeft = 9
        }
        return vault
    }

    func set(_ pin: any Secret) throws -> any OpenVault { throw Unprovided("set") }
    func change(_ old: any Secret, to new: any Secret, from source: PINSource) throws { throw Unprovided("change") }
    func reset() throws { throw Unprovided("reset") }

    /// A PIN in the form in which a front end passes it.
    static func secret(_ text: String = pin) throws -> LockedBytes {
        var bytes = Array(text.utf8)
        return try LockedBytes(wiping: &bytes)
    }
}

extension LocalSessions {
    /// Allows it, as after a right PIN.
    func allow(_ options: GrantOptions) throws -> OneGrantPayload {
        let gate = MemoryGate(try MemoryVault())
        return try allow(options, by: try gate.prove(try MemoryGate.secret(), from: .person))
    }
}
