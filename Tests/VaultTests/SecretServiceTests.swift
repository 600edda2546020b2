import Basics
import Foundation
import Glibc
import Keys
import Synchronization
import Testing
@testable import Vault

struct SecretServiceTests {
    private let vault = UUID().uuidString
    private func name(_ kind: ItemName.Kind = .key, _ id: String = "one") -> ItemName {
        ItemName(vault: vault, kind: kind, id: id)
    }

    @Test func keepsBytesAsTheyAre() throws {
        let service = try TestKeyring.service()
        let all = (0...255).map { UInt8($0) } + [0, 0]
        try service.store(all, as: name())
        #expect(try service.load(name()).map(bytes) == all)
        let other = try TestKeyring.service()
        #expect(try other.load(name()).map(bytes) == all)
        try service.deleteAll(of: vault)
    }

    @Test func storingAgainReplaces() throws {
        let service = try TestKeyring.service()
        try service.store([1], as: name())
        try service.store([2, 2], as: name())
        #expect(try service.load(name()).map(bytes) == [2, 2])
        #expect(try TestKeyring.everything(of: vault).components(separatedBy: "label = ").count == 2)
        try service.delete(name())
        #expect(try service.load(name()) == nil)
        try service.delete(name())
    }

    @Test func seesOnlyItsVaultAndKind() throws {
        let service = try TestKeyring.service()
        let foreign = ItemName(vault: UUID().uuidString, kind: .key, id: "theirs")
        for name in [name(.key, "one"), name(.key, "two"), name(.token, "three"), foreign] {
            try service.store([7], as: name)
        }
        #expect(try service.ids(of: .key, in: vault) == ["one", "two"])
        #expect(try service.ids(of: .token, in: vault) == ["three"])
        #expect(try service.ids(of: .logHead, in: vault).isEmpty)
        try service.deleteAll(of: vault)
        #expect(try service.ids(of: .key, in: vault).isEmpty)
        #expect(try service.load(foreign).map(bytes) == [7])
        try service.delete(foreign)
    }

    @Test func noSessionBus() async {
        await #expect(processExitsWith: .success) {
            unsetenv("DBUS_SESSION_BUS_ADDRESS")
            setenv("XDG_RUNTIME_DIR", "/nonexistent", 1)
            expect(.noBus, "session bus")
        }
    }

    @Test func deadSessionBus() async {
        await #expect(processExitsWith: .success) {
            PrivateBus.join("unix:path=/nonexistent/bus")
            expect(.noBus, "session bus")
        }
    }

    /// As when the person's session ends and another begins, while a service's agent runs on.
    @Test func aBusThatCameInThePlaceOfAnotherIsUsed() async {
        await #expect(processExitsWith: .success) {
            let service = SecretService(allowsPrompt: false)
            for round in 1...3 {
                let bus = try PrivateBus()
                PrivateBus.join(bus.address)
                let name = ItemName(vault: UUID().uuidString, kind: .key, id: "one")
                try service.store([UInt8(round)], as: name)
                #expect(try service.load(name).map(bytes) == [UInt8(round)])
            }
        }
    }

    @Test func nothingOwnsTheName() async throws {
        let bus = try PrivateBus("--no-keyring")
        await #expect(processExitsWith: .success) { [address = bus.address as String] in
            PrivateBus.join(address)
            expect(.missing, "org.freedesktop.secrets")
        }
    }

    @Test func noDefaultCollection() async throws {
        let bus = try PrivateBus("--no-collection")
        await #expect(processExitsWith: .success) { [address = bus.address as String] in
            PrivateBus.join(address)
            expect(.noCollection, "default collection")
        }
    }

    @Test func lockedWithoutPrompting() async throws {
        let bus = try PrivateBus("--locked")
        await #expect(processExitsWith: .success) { [address = bus.address as String] in
            PrivateBus.join(address)
            expect(.locked, "locked")
        }
    }

    /// Nobody can answer on this bus, so the keyring gives up its prompt.
    @Test func promptThatComesToNothing() async throws {
        let bus = try PrivateBus("--locked")
        await #expect(processExitsWith: .success) { [address = bus.address as String] in
            PrivateBus.join(address)
            expect(.dismissed, "prompt was closed", SecretService(allowsPrompt: true))
        }
    }

    /// The same without a collection: none is created unless something is to be stored and the person may be asked.
    @Test func collectionThatIsNotMade() async throws {
        let bus = try PrivateBus("--no-collection")
        await #expect(processExitsWith: .success) { [address = bus.address as String] in
            PrivateBus.join(address)
            let asked = Mutex<[KeyringQuestion]>([])
            let service = SecretService(allowsPrompt: true) { question, keyring, wait in
                #expect(keyring == .gnomeKeyring)
                asked.withLock { $0.append(question) }
                try wait()
            }
            #expect(throws: SecretServiceError.noCollection.by(.gnomeKeyring)) { try service.check() }
            #expect(asked.withLock { $0 } == [])
            #expect(throws: SecretServiceError.noCollection.by(.gnomeKeyring)) { try service.prepare() }
            #expect(asked.withLock { $0 } == [.create])
            let silent = SecretService(allowsPrompt: false) { _, _, _ in Issue.record("nothing may be asked") }
            #expect(throws: SecretServiceError.noCollection.by(.gnomeKeyring)) { try silent.prepare() }
        }
    }

    /// A service that may open no window opens one for a PIN that a person waits for, and for nothing else.
    @Test func windowForAPersonsPIN() async throws {
        let bus = try PrivateBus("--locked")
        await #expect(processExitsWith: .success) { [address = bus.address as String] in
            PrivateBus.join(address)
            let asked = Mutex<[KeyringQuestion]>([])
            let service = SecretService(allowsPrompt: false) { question, _, wait in
                asked.withLock { $0.append(question) }
                try wait()
            }
            #expect(throws: Never.self) { try service.open("none") }
            KeyringWindows.$areAllowed.withValue(true) {
                #expect(throws: SecretServiceError.isLocked.by(.gnomeKeyring)) { try service.check() }
                #expect(asked.withLock { $0 } == [])
                #expect(throws: SecretServiceError.dismissed(.unlock).by(.gnomeKeyring)) { try service.open("none") }
            }
            #expect(asked.withLock { $0 } == [.unlock])
        }
    }

    @Test func serviceThatStopped() async throws {
        let bus = try PrivateBus()
        await #expect(processExitsWith: .success) {
            [address = bus.address as String, keyring = bus.keyringPID as Int32] in
            PrivateBus.join(address)
            let service = SecretService(.init(allowsPrompt: false, answerWithin: 0.5, promptWithin: 0.5))
            #expect(throws: Never.self) { try service.check() }
            kill(keyring, SIGSTOP)
            expect(.refused(), "in time", service)
            expect(
                .refused(), "in time", SecretService(.init(allowsPrompt: false, answerWithin: 0.5, promptWithin: 0.5)))
            kill(keyring, SIGCONT)
            #expect(throws: Never.self) { try service.check() }
        }
    }

    @Test func serviceThatWentAway() async throws {
        let bus = try PrivateBus()
        await #expect(processExitsWith: .success) {
            [address = bus.address as String, keyring = bus.keyringPID as Int32] in
            PrivateBus.join(address)
            let service = SecretService(allowsPrompt: false)
            #expect(throws: Never.self) { try service.check() }
            kill(keyring, SIGKILL)
            // The bus notices a moment later.
            for _ in 0..<500 {
                guard (try? service.check()) != nil else { break }
                usleep(10_000)
            }
            expect(.missing, "org.freedesktop.secrets", service)
        }
    }
}

/// Every call ends in this error.
private func expect(
    _ kind: SecretServiceError.Kind, _ word: String, _ service: SecretService = SecretService(allowsPrompt: false)
) {
    let name = ItemName(vault: "none", kind: .key, id: "none")
    let ways: [() throws -> Void] = [
        { try service.check() }, { _ = try service.load(name) }, { try service.store([1], as: name) },
        { try service.delete(name) }, { _ = try service.ids(of: .key, in: "none") },
        { try service.deleteAll(of: "none") },
    ]
    for way in ways {
        let error = #expect(throws: SecretServiceError.self) { try way() }
        #expect(error?.kind == kind)
        #expect(error?.reason.contains(word) == true, "\(error?.reason ?? "nothing")")
    }
}
