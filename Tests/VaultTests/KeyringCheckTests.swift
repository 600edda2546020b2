import Basics
import Cryptography
import Keys
import Testing
@testable import Vault

/// The seal of each item shows that it is not what was stored there.
struct KeyringCheckTests {
    /// Without the PIN only an item that no seal can be is recognised. The device secret opens that of the count of tries.
    @Test(arguments: [ItemName.Kind.key, .token, .sharedSecret, .logHead, .tries, .rescue])
    func eachDamagedItemIsNamed(_ kind: ItemName.Kind) throws {
        let vault = try TestVault()
        let open = try vault.set()
        for id in ["k1", "k2"] {
            try open.store(
                EnrolledSecrets().with(.key, open.makeKey()).with(.token, secret("one")).with(.shared, secret("two")),
                as: KeyID(id))
        }
        try open.setLogHead(open.seal(Array(repeating: 1, count: 40), as: "head"))
        try open.sessionsKey().shelf?.put(open.seal([1], as: "rescue"), as: "r")
        #expect(throws: PINError.wrong(triesLeft: 8)) { try vault.open("000001") }
        try vault.open()
        let check = KeyringCheck(vault.home, secrets: TestKeyring.secrets)
        #expect(try check.otherItems().isEmpty && check.otherItems(open).isEmpty)

        let id = try #require(try vault.vaultID)
        let items = try vault.service.loadAll(of: id)
        let item = try #require(items.filter { $0.name.kind == kind }.min { $0.name.id < $1.name.id })
        let other = try #require(
            items.first { $0.name.kind == (kind == .key ? .token : .key) && $0.name.id != item.name.id })
        let kept = bytes(of: try item.secret.get())
        let words =
            switch kind {
            case .logHead: "its copy of the log's end is damaged"
            case .tries: "its count of tries is damaged"
            case .rescue: "the newest tokens of 1 session are damaged"
            default: "1 \(kind.words) is damaged"
            }
        let damages = [[], [1, 2, 3], Array(repeating: 0x5a, count: kept.count), bytes(of: try other.secret.get())]
        for damage in damages {
            try vault.service.store(damage, as: item.name)
            let isPlain = damage.count < 4 || kind == .tries
            #expect(try check.otherItems().map(\.words) == (isPlain ? [words] : []))
            // Log and sessions are checked by themselves, once the vault is open.
            let isSealed = [.key, .token, .sharedSecret].contains(kind)
            #expect(try check.otherItems(open).map(\.words) == (isPlain || isSealed ? [words] : []))
            #expect(try vault.gate.status().triesLeft == 9)
            // The next PIN writes the count anew; nothing else hinders it.
            try vault.open()
            #expect(try check.otherItems().map(\.words) == (isPlain && kind != .tries ? [words] : []))
            try vault.service.store(kept, as: item.name)
        }
        try vault.gate.reset()
    }

    /// Another program, or a later release, may keep items of other kinds under the vault's id, with an id of ours.
    @Test(arguments: ["x", "\u{1b}[2Jkey", "device secret"])
    func anItemOfAnotherKindIsNotTheVaultS(_ kind: String) throws {
        let vault = try TestVault()
        let open = try vault.set()
        try open.store(open.makeKey(), token: secret("one"), as: KeyID("k1"))
        let id = try #require(try vault.vaultID)
        let foreign = ItemName(vault: id, kind: .ofConnection(kind), id: PINRecord.firstDeviceSecret)
        try vault.service.store([1, 2, 3], as: foreign)
        #expect(try open.keyIDs() == [KeyID("k1")])
        let check = KeyringCheck(vault.home, secrets: TestKeyring.secrets)
        #expect(try check.otherItems().isEmpty && check.otherItems(open).isEmpty)
        open.readAhead()
        // Deletes the secrets of a connection, whatever else has its id.
        try open.destroy(KeyID(PINRecord.firstDeviceSecret))
        #expect(try vault.service.load(foreign) != nil && vault.service.load(.deviceSecret(of: id)) != nil)
        #expect(throws: SecretServiceError.self) { try open.load(SecretName(kind, .bytes), of: KeyID("k1")) }
        #expect(throws: SecretServiceError.self) { try open.load(SecretName("log-head", .bytes), of: KeyID("head")) }
        try vault.gate.reset()
    }

    /// The count of tries is sealed under the device secret, which a change of the PIN replaces.
    @Test func aChangeOfThePINDamagesNothing() throws {
        let vault = try TestVault()
        try vault.set()
        #expect(throws: PINError.wrong(triesLeft: 8)) { try vault.open("000001") }
        try vault.gate.change(secret(TestVault.pin), to: secret("648203"), from: .person)
        #expect(try KeyringCheck(vault.home, secrets: TestKeyring.secrets).otherItems().isEmpty)
        try vault.gate.reset()
    }
}
