import Basics
import Cryptography
import Keys
import Testing
@testable import Vault

struct UnlockedVaultTests {
    private func missing(_ words: String) -> SecretServiceError {
        SecretServiceError(.itemMissing, "the keyring has no \(words) for this connection")
    }

    @Test func keysAndTokens() throws {
        let vault = try TestVault()
        let open = try vault.set()
        let key = try open.makeKey()
        #expect(try open.keyIDs().isEmpty)
        try open.store(key, token: secret("the token"), as: KeyID("k1"))
        try open.store(open.makeKey(), token: secret("another"), as: KeyID("k2"))

        let again = try vault.restarted.open()
        #expect(try again.keyIDs() == [KeyID("k1"), KeyID("k2")])
        #expect(try again.key(KeyID("k1")).publicKeyPEM == key.publicKeyPEM)
        #expect(try again.key(KeyID("k1")).sign([1, 2]) == key.sign([1, 2]))
        #expect(try bytes(of: again.token(KeyID("k1"))) == Array("the token".utf8))

        try again.destroyToken(KeyID("k1"))
        #expect(throws: missing("token")) { try again.token(KeyID("k1")) }
        #expect(try again.key(KeyID("k1")).publicKeyPEM == key.publicKeyPEM)
        #expect(try again.keyIDs() == [KeyID("k1"), KeyID("k2")])
        try again.destroy(KeyID("k1"))
        try again.destroy(KeyID("k1"))
        #expect(throws: missing("key")) { try again.key(KeyID("k1")) }
        #expect(try again.keyIDs() == [KeyID("k2")])
        try vault.gate.reset()
    }

    /// What the disk does not take is an item of the vault's own, which goes with the vault.
    @Test func whatTheDiskDoesNotTakeIsKeptInTheKeyring() throws {
        let vault = try TestVault()
        let shelf = try #require(try vault.set().sessionsKey().shelf)
        #expect(try shelf.sealed("a") == nil)
        try shelf.put([1, 2, 3], as: "a")
        try shelf.put([4, 0, 255], as: "a")
        try shelf.put([5], as: "b")
        let again = try #require(try vault.restarted.open().sessionsKey().shelf)
        #expect(try again.sealed("a") == [4, 0, 255] && again.sealed("b") == [5])
        try again.remove("a")
        try again.remove("a")
        #expect(try shelf.sealed("a") == nil)
        let other = try TestVault()
        #expect(try other.set().sessionsKey().shelf?.sealed("b") == nil)
        try other.gate.reset()
        let id = try #require(try vault.vaultID)
        #expect(try TestKeyring.everything(of: id).contains("rescue"))
        try vault.gate.reset()
        #expect(try TestKeyring.everything(of: id) == "")
    }

    @Test func whatWasReadAheadServesOnce() throws {
        let vault = try TestVault()
        let open = try vault.set()
        let id = try #require(try vault.vaultID)
        for name in ["k1", "k2", "k3"] { try open.store(open.makeKey(), token: secret(name), as: KeyID(name)) }
        open.readAhead()
        try open.destroy(KeyID("k3"))
        for name in ["k1", "k2"] { try vault.service.delete(ItemName(vault: id, kind: .token, id: name)) }
        for name in ["k1", "k2"] {
            #expect(try bytes(of: open.token(KeyID(name))) == Array(name.utf8))
            #expect(throws: missing("token")) { try open.token(KeyID(name)) }
        }
        #expect(throws: missing("key")) { try open.key(KeyID("k3")) }
        _ = try open.key(KeyID("k1"))
        try vault.gate.reset()
    }

    @Test func changedOrSwappedItemsAreSeen() throws {
        let vault = try TestVault()
        let open = try vault.set()
        let id = try #require(try vault.vaultID)
        try open.store(open.makeKey(), token: secret("one"), as: KeyID("k1"))
        try open.store(open.makeKey(), token: secret("two"), as: KeyID("k2"))
        let (first, second) = (
            ItemName(vault: id, kind: .token, id: "k1"), ItemName(vault: id, kind: .token, id: "k2")
        )
        let key = ItemName(vault: id, kind: .key, id: "k1")
        let content = try bytes(of: #require(try vault.service.load(first)))

        try vault.service.store(content, as: second)
        #expect(throws: SecretServiceError.damaged(.token, count: content.count)) { try open.token(KeyID("k2")) }
        try vault.service.store(content, as: key)
        #expect(throws: SecretServiceError.damaged(.key, count: content.count)) { try open.key(KeyID("k1")) }
        var bent = content
        bent[bent.count / 2] ^= 1
        for item in [bent, Array(content.dropLast()), [1], []] {
            try vault.service.store(item, as: first)
            #expect(throws: SecretServiceError.damaged(.token, count: item.count)) { try open.token(KeyID("k1")) }
        }
        try vault.service.store(content, as: first)
        #expect(try bytes(of: open.token(KeyID("k1"))) == Array("one".utf8))
        try vault.gate.reset()
    }

    @Test func vaultsSideBySideSeeOnlyTheirOwn() throws {
        let (one, two) = (try TestVault(), try TestVault())
        let (first, second) = (try one.set(), try two.set())
        try first.store(first.makeKey(), token: secret("one"), as: KeyID("same"))
        try second.store(second.makeKey(), token: secret("two"), as: KeyID("same"))
        try first.setLogHead([1])
        #expect(try second.logHead() == nil)
        #expect(try bytes(of: first.token(KeyID("same"))) == Array("one".utf8))
        try first.destroy(KeyID("same"))
        #expect(try bytes(of: second.token(KeyID("same"))) == Array("two".utf8))
        #expect(throws: CryptoError.self) { try second.open(first.seal([1], as: "row"), as: "row") }
        #expect(try first.authenticate([1], for: "log") != second.authenticate([1], for: "log"))
        try one.gate.reset()
        #expect(try second.keyIDs() == [KeyID("same")])
        #expect(try two.open().keyIDs() == [KeyID("same")])
        try two.gate.reset()
    }

    @Test func rowsAndMACs() throws {
        let vault = try TestVault()
        let open = try vault.set()
        let sealed = try open.seal([1, 2, 3], as: "connections/1")
        #expect(try open.open(sealed, as: "connections/1") == [1, 2, 3])
        #expect(try open.seal([1, 2, 3], as: "connections/1") != sealed)
        #expect(throws: CryptoError.self) { try open.open(sealed, as: "connections/2") }
        #expect(try open.open(open.seal([], as: ""), as: "") == [])
        let mac = try open.authenticate([1], for: "log")
        #expect(mac.count == 32)
        #expect(try vault.restarted.open().authenticate([1], for: "log") == mac)
        #expect(try open.authenticate([2], for: "log") != mac)
        #expect(try open.authenticate([1], for: "decided") != mac)
        try vault.gate.reset()
    }

    @Test func aDestroyedVaultIsNoLongerCurrent() throws {
        let vault = try TestVault()
        let open = try vault.set()
        try open.demandCurrent()
        try vault.gate.reset()
        #expect(throws: PINError.notSet) { try open.demandCurrent() }
        let next = try vault.set()
        #expect(throws: PINError.notSet) { try open.demandCurrent() }
        #expect(throws: PINError.notSet) { try open.store(open.makeKey(), token: secret("one"), as: KeyID("k1")) }
        #expect(try open.keyIDs().isEmpty)
        try next.demandCurrent()
        try vault.gate.reset()
    }

    @Test func logHead() throws {
        let vault = try TestVault()
        let open = try vault.set()
        #expect(try open.logHead() == nil)
        try open.setLogHead([1, 2])
        try open.setLogHead([3, 0, 4])
        #expect(try vault.restarted.open().logHead() == [3, 0, 4])
        try vault.gate.reset()
    }

    @Test func thatALogWasBegunIsSealedWithTheMasterKey() throws {
        let vault = try TestVault()
        let open = try vault.set()
        let row = try open.seal([1], as: "row")
        #expect(try !open.isLogBegun())
        let other = try vault.restarted.open()
        try open.beginLog()
        // Other open vaults learn it, also those that were opened before.
        #expect(try open.isLogBegun() && other.isLogBegun() && vault.restarted.open().isLogBegun())
        try open.beginLog()
        // Without the sealing key, no form of the sealed master key opens.
        let begun = try #require(try vault.home.record())
        var cut = begun
        cut.sealedMasterKey.remove(at: begun.sealedMasterKey.count - 17)
        try vault.home.write(cut)
        #expect(throws: PINError.wrong(triesLeft: 8)) { try vault.open() }
        try vault.home.write(begun)

        // It survives wrong PINs and a change of the PIN; the master key stays the same.
        #expect(throws: PINError.wrong(triesLeft: 7)) { try vault.open("000001") }
        try vault.gate.change(secret(TestVault.pin), to: secret("648203"), from: .person)
        let changed = try vault.open("648203")
        #expect(try changed.isLogBegun())
        #expect(try changed.open(row, as: "row") == [1])
        // A vault that was opened before the change cannot read it any more, unless it has read it before.
        #expect(try open.isLogBegun())
        try vault.gate.reset()
    }

    @Test func whoOpenedBeforeAChangeOfThePINCannotSealThatALogWasBegun() throws {
        let vault = try TestVault()
        let open = try vault.set()
        try vault.gate.change(secret(TestVault.pin), to: secret("648203"), from: .person)
        #expect(throws: PINError.changed) { try open.isLogBegun() }
        #expect(throws: PINError.changed) { try open.beginLog() }
        #expect(try !vault.open("648203").isLogBegun())
        try vault.gate.reset()
        #expect(throws: PINError.notSet) { try open.beginLog() }
    }

    /// What a keyring manager shows: fixed labels and attributes, random ids, sealed content.
    @Test func keyringTellsNothing() throws {
        let vault = try TestVault()
        let open = try vault.set()
        let id = try #require(try vault.vaultID)
        try open.store(open.makeKey(), token: secret("fern-bank-token"), as: KeyID("0b2d"))
        try open.setLogHead(open.seal(Array("Fern Bank".utf8), as: "head"))
        let seen = try TestKeyring.everything(of: id)
        let fields = seen.split(separator: "\n").compactMap { line -> String? in
            let told = ["[", "secret", "created", "modified"]
            return line.contains(" = ") && !told.contains(where: line.hasPrefix) ? String(line) : nil
        }
        var expected: [String] = []
        for (kind, schema, label, item) in [
            ("device-secret", "DeviceSecret", "device secret", "device"), ("key", "Key", "key", "0b2d"),
            ("token", "Token", "token", "0b2d"), ("log-head", "LogHead", "log head", "head"),
        ] {
            expected += [
                "label = Countersign \(label)", "schema = org.countersign.\(schema)", "attribute.vault = \(id)",
                "attribute.kind = \(kind)", "attribute.id = \(item)",
            ]
        }
        #expect(fields.sorted() == expected.sorted())
        for word in ["fern", "Fern", "token-", "PRIVATE KEY"] { #expect(!seen.contains(word)) }
        try vault.gate.reset()
    }
}
