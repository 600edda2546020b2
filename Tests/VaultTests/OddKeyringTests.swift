import Basics
import Cryptography
import Keys
import Testing
@testable import Vault

/// A keyring that keeps or returns something else than it was given (Tests/Support/odd-keyring).
struct OddKeyringTests {
    @Test(arguments: ["keep:", "keep:00ff", "undecodable"])
    func whatIsReliedOnIsReadBack(_ how: String) async throws {
        let bus = try PrivateBus("--odd-keyring")
        await #expect(processExitsWith: .success) { [address = bus.address as String, how = how as String] in
            PrivateBus.join(address)
            let vault = try TestVault()
            let open = try vault.set()
            let id = try #require(try vault.vaultID)
            try vault.service.storeLasting([(ItemName(vault: id, kind: .token, id: "a"), secret("a token"))])
            for kind in [ItemName.Kind.key, .token, .deviceSecret] {
                try TestKeyring.order(kind, how)
                let name = ItemName(vault: id, kind: kind, id: "b")
                #expect(throws: SecretServiceError.self) { try vault.service.storeLasting([(name, secret("another"))]) }
                try TestKeyring.order(kind, "honest")
            }
            // Nothing relies on it, and nothing of the connection is left.
            try TestKeyring.order(.key, how)
            #expect(throws: SecretServiceError.self) {
                try open.store(open.makeKey(), token: secret("one"), as: KeyID("k1"))
            }
            try TestKeyring.order(.key, "honest")
            #expect(try !open.keyIDs().contains(KeyID("k1")))
            // Neither does a vault come to be, nor a PIN change, on such a device secret.
            try TestKeyring.order(.deviceSecret, how)
            let fresh = try TestVault()
            #expect(throws: SecretServiceError.self) { try fresh.set() }
            #expect(try fresh.home.record() == nil)
            try TestKeyring.order(.deviceSecret, "honest")
            let before = try vault.home.record()?.deviceSecret
            try TestKeyring.order(.deviceSecret, how.hasPrefix("keep:") ? how : "honest")
            if how.hasPrefix("keep:") {
                let error = #expect(throws: SecretServiceError.self) {
                    try vault.gate.change(secret(TestVault.pin), to: secret("648203"), from: .person)
                }
                #expect(error?.kind == .refused())
                #expect(try vault.home.record()?.deviceSecret == before)
            }
            try TestKeyring.order(.deviceSecret, "honest")
            try vault.open()
        }
    }

    /// Each kind has words of its own, and no try is counted.
    @Test func whatCannotBeDecryptedIsDamaged() async throws {
        let bus = try PrivateBus("--odd-keyring")
        await #expect(processExitsWith: .success) { [address = bus.address as String] in
            PrivateBus.join(address)
            let vault = try TestVault()
            let open = try vault.set()
            try open.store(
                EnrolledSecrets().with(.key, open.makeKey()).with(.token, secret("one")).with(.shared, secret("two")),
                as: KeyID("k1"))
            try open.setLogHead(Array(repeating: 7, count: 68))
            try TestKeyring.order(.deviceSecret, "undecodable")
            for pin in [TestVault.pin, "000001"] {
                #expect(throws: SecretServiceError.damaged(.deviceSecret, "it cannot be decrypted")) {
                    try vault.open(pin)
                }
            }
            let check = KeyringCheck(vault.home, secrets: TestKeyring.secrets)
            #expect(throws: SecretServiceError.damaged(.deviceSecret, "it cannot be decrypted")) {
                try check.deviceSecret()
            }
            try TestKeyring.order(.deviceSecret, "honest")
            #expect(try vault.gate.status().triesLeft == 9)
            try check.deviceSecret()
            #expect(try check.otherItems().isEmpty && check.otherItems(open).isEmpty)

            for kind in [ItemName.Kind.key, .token, .sharedSecret] {
                try TestKeyring.order(kind, "undecodable")
                open.readAhead()
                let error = #expect(throws: SecretServiceError.self) {
                    switch kind {
                    case .key: _ = try open.key(KeyID("k1"))
                    case .token: _ = try open.token(KeyID("k1"))
                    default: _ = try open.sharedSecret(KeyID("k1"))
                    }
                }
                #expect(error?.kind == .damaged)
                #expect(error?.reason.contains("keyring's \(kind.words) for this connection is damaged") == true)
                #expect(try check.otherItems().map(\.words) == ["1 \(kind.words) is damaged"])
                try TestKeyring.order(kind, "honest")
            }
            // No seal opens it, so the log is broken, instead of not being readable.
            try TestKeyring.order(.logHead, "undecodable")
            #expect(try open.logHead() == [])
            #expect(try check.otherItems().map(\.words) == ["its copy of the log's end is damaged"])
        }
    }

    /// A keyring that fails after the PIN was found right leaves for later what it was needed for.
    @Test(arguments: [ItemName.Kind.logHead, .tries])
    func aKeyringThatFailsAfterARightPINCostsNoTry(_ kind: ItemName.Kind) async throws {
        let bus = try PrivateBus("--odd-keyring")
        await #expect(processExitsWith: .success) { [address = bus.address as String, kind = kind.text as String] in
            PrivateBus.join(address)
            let kind = try #require(ItemName.Kind(kind, declared: TestKeyring.secrets))
            let vault = try TestVault()
            let open = try vault.set()
            // A log that was begun by an earlier release, so that each right PIN looks for its end in the keyring.
            try open.setLogHead(Array(repeating: 7, count: 68))
            #expect(throws: PINError.wrong(triesLeft: 8)) { try vault.open("000001") }
            try TestKeyring.order(kind, "refuse")
            #expect(try !vault.open().isLogBegun() || kind != .logHead)
            #expect(try vault.gate.status() == PINStatus(isSet: true, triesLeft: 9, blockedFor: nil))
            #expect(throws: PINError.wrong(triesLeft: 8)) { try vault.open("000001") }
            #expect(try vault.gate.status().triesLeft == 8)
            try TestKeyring.order(kind, "honest")
            #expect(try vault.open().isLogBegun())
            #expect(try vault.gate.status().triesLeft == 9)
        }
    }
}
