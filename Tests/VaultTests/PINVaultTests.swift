import Basics
import Foundation
import Glibc
import Cryptography
import Keys
import Testing
@testable import Vault

struct PINVaultTests {
    // MARK: Set, open, change, reset

    @Test func setOpenChangeReset() throws {
        let vault = try TestVault()
        #expect(throws: PINError.notSet) { try vault.open() }
        #expect(try vault.gate.status() == PINStatus(isSet: false, triesLeft: 9, blockedFor: nil))
        let sealed = try vault.set().seal([1, 2, 3], as: "row")
        #expect(throws: PINError.alreadySet) { try vault.set() }
        #expect(try vault.gate.status() == PINStatus(isSet: true, triesLeft: 9, blockedFor: nil))
        #expect(try vault.restarted.open().open(sealed, as: "row") == [1, 2, 3])

        let before = try #require(try vault.home.record())
        try vault.gate.change(secret(TestVault.pin), to: secret("correct horse"), from: .file)
        let after = try #require(try vault.home.record())
        #expect(after.vaultID == before.vaultID)
        #expect(after.salt != before.salt)
        #expect(throws: PINError.wrong(triesLeft: 8)) { try vault.open() }
        #expect(try vault.open("correct horse").open(sealed, as: "row") == [1, 2, 3])

        try vault.gate.reset()
        #expect(try vault.home.record() == nil)
        #expect(!vault.home.hasRows)
        #expect(try TestKeyring.everything(of: before.vaultID).isEmpty)
        try vault.gate.reset()
        let fresh = try vault.set()
        #expect(throws: CryptoError.self) { try fresh.open(sealed, as: "row") }
        try vault.gate.reset()
    }

    /// The old PIN with the old record, as in a copy of the home, finds no device secret any more.
    @Test func aChangeMakesTheOldPINUseless() throws {
        let vault = try TestVault()
        let sealed = try vault.set().seal([1], as: "row")
        let id = try #require(try vault.vaultID)
        let before = try #require(try vault.home.record())
        let oldSecret = try #require(try vault.service.load(.deviceSecret(before.deviceSecret, of: id)))
        for (old, new) in [(TestVault.pin, "648203"), ("648203", "correct horse"), ("correct horse", TestVault.pin)] {
            let record = try #require(try vault.home.record())
            try vault.gate.change(secret(old), to: secret(new), from: .person)
            let changed = try #require(try vault.home.record())
            #expect(changed.deviceSecret != record.deviceSecret && changed.sealedMasterKey != record.sealedMasterKey)
            #expect(!changed.hasLeftovers)
            #expect(try vault.service.ids(of: .deviceSecret, in: id) == [changed.deviceSecret])
        }
        let after = try #require(try vault.home.record())
        let newSecret = try #require(try vault.service.load(.deviceSecret(after.deviceSecret, of: id)))
        #expect(!newSecret.equals(oldSecret))
        try vault.home.write(before)
        #expect(throws: PINVault.noDeviceSecret) { try vault.open() }
        // The new device secret does not help either: the old record needs the old one, whether or not it knows that.
        var unmarked = before
        unmarked.commitment = nil
        try vault.home.write(unmarked)
        try vault.service.store(newSecret, as: .deviceSecret(before.deviceSecret, of: id))
        #expect(throws: PINError.wrong(triesLeft: 8)) { try vault.open() }
        try vault.home.write(after)
        #expect(try vault.open().open(sealed, as: "row") == [1])
        try vault.gate.reset()
        #expect(try TestKeyring.everything(of: id).isEmpty)
    }

    /// A process that is killed after any write of a change leaves one PIN that opens the vault; the other never does,
    /// and the next right PIN removes what was left.
    @Test(arguments: 1...5)
    func aChangeThatWasKilledLeavesOnePIN(_ writes: Int) async throws {
        let vault = try TestVault()
        let sealed = try vault.set().seal([1], as: "row")
        let id = try #require(try vault.vaultID)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = vault.home.path as String, writes = writes as Int] in
            let counter = Counter()
            let home = try TestHome(path) { _ in
                counter.add()
                if counter.count == writes { kill(getpid(), SIGKILL) }
            }
            try TestVault(home).gate.change(secret(TestVault.pin), to: secret("648203"), from: .person)
        }
        // The writes: try counted, try forgiven, record replaced, old records forgotten, leftovers cleared. From the
        // third on the new PIN is valid.
        let (right, wrong) = writes < 3 ? (TestVault.pin, "648203") : ("648203", TestVault.pin)
        #expect { try vault.open(wrong) } throws: { isWrong($0) }
        #expect(try vault.open(right).open(sealed, as: "row") == [1])
        #expect(try vault.service.ids(of: .deviceSecret, in: id).count == 1)
        #expect(try vault.home.record()?.hasLeftovers == false)
        try vault.gate.change(secret(right), to: secret("another one"), from: .person)
        #expect(try vault.open("another one").open(sealed, as: "row") == [1])
        #expect(try vault.service.ids(of: .deviceSecret, in: id).count == 1)
        try vault.gate.reset()
    }

    /// A process that is killed after storing the new device secret and before writing the record: the old PIN opens
    /// the vault, and the next change removes the device secret that no record names.
    /// An agent that has nothing of banks any more may still hold it.
    @Test func theKeyOfSessionsOpensNothingElse() throws {
        let vault = try TestVault()
        let open = try vault.set()
        let key = try open.sessionsKey()
        let (row, own) = (try open.seal([1], as: "row"), try key.seal([2], beside: [], as: "row"))
        #expect(try key.open(own, as: "row").plaintext == [2])
        #expect(throws: (any Error).self) { try key.open(row, as: "row") }
        #expect(throws: (any Error).self) { try open.open(own, as: "row") }
        try vault.gate.reset()
    }

    @Test func aChangeThatWasKilledBeforeItCountsChangesNothing() throws {
        let vault = try TestVault()
        let sealed = try vault.set().seal([1], as: "row")
        let id = try #require(try vault.vaultID)
        try vault.service.store(LockedBytes.random(32), as: .deviceSecret("abandoned", of: id))
        #expect(try vault.open().open(sealed, as: "row") == [1])
        try vault.gate.change(secret(TestVault.pin), to: secret("648203"), from: .person)
        let record = try #require(try vault.home.record())
        #expect(try vault.service.ids(of: .deviceSecret, in: id) == [record.deviceSecret])
        try vault.gate.reset()
    }

    @Test func leftoversThatCannotBeRemovedAreTold() throws {
        let vault = try TestVault()
        let sealed = try vault.set().seal([1], as: "row")
        let id = try #require(try vault.vaultID)
        let busy = InterposedStore(vault.home, busy: true)
        let gate = PINVault(records: busy, service: vault.service, clock: vault.clock.clock, cost: TestVault.cheap)
        #expect(throws: PINError.leftovers) {
            try gate.change(secret(TestVault.pin), to: secret("648203"), from: .person)
        }
        #expect(try vault.home.record()?.hasLeftovers == true)
        // As long as it cannot be removed, the PIN still opens the vault.
        #expect(try gate.open(with: secret("648203"), from: .person).open(sealed, as: "row") == [1])
        #expect(try vault.home.record()?.hasLeftovers == true)
        #expect(try vault.open("648203").open(sealed, as: "row") == [1])
        #expect(try vault.home.record()?.hasLeftovers == false)
        #expect(try vault.service.ids(of: .deviceSecret, in: id).count == 1)
        try vault.gate.reset()
    }

    /// The PIN is changed after another process has read the record and before that process checks its PIN: the new PIN
    /// is right, and costs no try.
    @Test func aChangeWhileAnotherProcessWaitsItsTurn() throws {
        let vault = try TestVault()
        let sealed = try vault.set().seal([1], as: "row")
        let store = InterposedStore(vault.home) {
            try vault.gate.change(secret(TestVault.pin), to: secret("648203"), from: .person)
        }
        let gate = PINVault(records: store, service: vault.service, clock: vault.clock.clock, cost: TestVault.cheap)
        #expect(try gate.open(with: secret("648203"), from: .person).open(sealed, as: "row") == [1])
        #expect(try vault.gate.status().triesLeft == 9)
        try vault.gate.reset()
    }

    /// Two characters, too few digits, a password that is too short, too long, too easy: none of these is anybody's PIN.
    @Test(arguments: ["1", "ab", "27182", "letmein", "00000000000000000", "111111", String(repeating: "x", count: 300)])
    func whatNoPINCanBeCostsNoTry(_ typed: String) throws {
        let vault = try TestVault()
        _ = try vault.gate.set(secret(TestVault.pin))
        for _ in 0..<10 {
            #expect(throws: PINError.impossible) { try vault.gate.open(with: secret(typed), from: .person) }
            #expect(throws: PINError.impossible) {
                try vault.gate.change(secret(typed), to: secret("648203"), from: .person)
            }
        }
        #expect(try vault.gate.status().triesLeft == 9)
        _ = try vault.gate.open(with: secret(TestVault.pin), from: .person)
    }

    /// A PIN is wiped after the check, whether right or wrong, and a wiped PIN costs no try.
    @Test func aPINIsWipedOnceItWasChecked() throws {
        let vault = try TestVault()
        let (first, right, wrong) = (try secret(TestVault.pin), try secret(TestVault.pin), try secret("000001"))
        _ = try vault.gate.set(first)
        _ = try vault.gate.open(with: right, from: .person)
        #expect(throws: PINError.wrong(triesLeft: 8)) { try vault.gate.open(with: wrong, from: .person) }
        #expect([first, right, wrong].map(\.count) == [0, 0, 0])
        #expect(throws: PINError.impossible) { try vault.gate.open(with: wrong, from: .person) }
        #expect(try vault.gate.status().triesLeft == 8)

        // When the old PIN was wrong, the new one is kept for the next try.
        let (old, new) = (try secret("000001"), try secret("648203"))
        #expect(throws: PINError.wrong(triesLeft: 7)) { try vault.gate.change(old, to: new, from: .person) }
        #expect([old, new].map(\.count) == [0, 6])
        try vault.gate.change(secret(TestVault.pin), to: new, from: .person)
        #expect(new.count == 0)
        try vault.gate.reset()
    }

    @Test func realCost() throws {
        let vault = try TestVault()
        let gate = PINVault(records: vault.home, service: vault.service, clock: vault.clock.clock)
        let sealed = try gate.set(secret(TestVault.pin)).seal([9], as: "row")
        let record = try #require(try vault.home.record())
        #expect(record.cost == PINRecord.Cost(n: 65536, r: 8, p: 1))
        #expect(record.salt.count == 32)
        #expect(throws: PINError.wrong(triesLeft: 8)) { try gate.open(with: secret("275911"), from: .person) }
        #expect(try gate.open(with: secret(TestVault.pin), from: .person).open(sealed, as: "row") == [9])
        try gate.reset()
    }

    @Test func costRisesWithAChange() throws {
        let vault = try TestVault()
        let sealed = try vault.set().seal([9], as: "row")
        let dearer = vault.gate(cost: .init(n: 32, r: 1, p: 1))
        #expect(try dearer.open(with: secret(TestVault.pin), from: .person).open(sealed, as: "row") == [9])
        #expect(try vault.home.record()?.cost.n == 16)
        try dearer.change(secret(TestVault.pin), to: secret("648203"), from: .person)
        #expect(try vault.home.record()?.cost.n == 32)
        #expect(try vault.open("648203").open(sealed, as: "row") == [9])
        try vault.gate.reset()
    }

    @Test func poorPINsCostNothing() throws {
        let vault = try TestVault()
        #expect(throws: PINError.trivial) { try vault.set("123456") }
        #expect(try vault.home.record() == nil)
        try vault.set()
        #expect(throws: PINError.tooShort) {
            try vault.gate.change(secret("wrong one"), to: secret("123"), from: .person)
        }
        #expect(try vault.gate.status().triesLeft == 9)
        #expect(throws: PINError.wrong(triesLeft: 8)) {
            try vault.gate.change(secret("wrong one"), to: secret("648203"), from: .person)
        }
        #expect(try vault.gate.status().triesLeft == 8)
        try vault.gate.reset()
    }

    /// After a crash or an error before the record is written, a PIN can still be set.
    @Test func setThatWasCutShort() throws {
        let vault = try TestVault()
        let broken = FailingStore()
        let gate = PINVault(
            records: broken, service: vault.service, clock: vault.clock.clock, cost: TestVault.cheap)
        #expect(throws: FailingStore.Failure.self) { try gate.set(secret(TestVault.pin)) }
        #expect(try TestKeyring.everything(of: try #require(broken.wanted)).isEmpty)
        try vault.set()
        try vault.gate.reset()
    }

    // MARK: The budget

    @Test func nineFailures() throws {
        let vault = try TestVault()
        let other = try TestVault()
        let open = try vault.set()
        try open.store(open.makeKey(), token: secret("token"), as: KeyID("k1"))
        try open.setLogHead([1])
        let row = try other.set().seal([4], as: "row")
        let id = try #require(try vault.vaultID)
        let blocks: [Int?] = [nil, nil, nil, nil, 60, 300, 900, 3600]
        for (index, block) in blocks.enumerated() {
            // Each try is made by another process.
            let again = try vault.restarted
            #expect(throws: PINError.wrong(triesLeft: 8 - index, blockedFor: block)) { try again.open("000001") }
            let status = PINStatus(isSet: true, triesLeft: 8 - index, blockedFor: block)
            #expect(try vault.restarted.gate.status() == status)
            guard let block else { continue }
            for seconds in [0, block - 1] {
                // Blocked: no PIN is tried or counted, not even the right one.
                vault.clock.set { $0.seconds += Int64(seconds) }
                #expect(throws: PINError.blocked(for: block - seconds)) { try again.open() }
            }
            vault.clock.set { $0.seconds += 1 }
            #expect(throws: PINError.needsPerson) { try again.open(from: .file) }
            #expect(try again.gate.status() == PINStatus(isSet: true, triesLeft: 8 - index, blockedFor: nil))
            #expect(again.derivations.count == 1)
        }
        #expect(throws: PINError.destroyed) { try vault.open("000001") }
        #expect(try vault.home.record() == nil)
        #expect(!vault.home.hasRows)
        #expect(try TestKeyring.everything(of: id).isEmpty)
        #expect(throws: PINError.notSet) { try vault.open() }
        // The other vault has lost nothing.
        #expect(other.home.hasRows)
        #expect(try other.open().open(row, as: "row") == [4])
        try other.gate.reset()
    }

    @Test(arguments: [1, 4, 5, 8])
    func rightPINForgivesFailures(_ failures: Int) throws {
        let vault = try TestVault()
        try vault.set()
        for _ in 0..<failures {
            #expect { try vault.open("000001") } throws: { isWrong($0) }
            vault.waitOut()
        }
        try vault.open()
        #expect(try vault.gate.status() == PINStatus(isSet: true, triesLeft: 9, blockedFor: nil))
        #expect(try vault.home.record()?.block == nil)
        try vault.gate.reset()
    }

    @Test func blockHoldsOverEveryClock() throws {
        let vault = try TestVault()
        try vault.set()
        for _ in 0..<5 { #expect { try vault.open("000001") } throws: { isWrong($0) } }
        for day in [-400.0, -1, 1, 400] {
            vault.clock.set { $0.now.addTimeInterval(day * 86400) }
            #expect(throws: PINError.blocked(for: 60)) { try vault.restarted.open() }
        }
        vault.clock.set { $0.seconds += 59 }
        #expect(throws: PINError.blocked(for: 1)) { try vault.restarted.open() }
        // Another boot: the whole minute counts again, however long this boot lasted.
        vault.clock.set { ($0.bootID, $0.seconds) = ("boot-2", 20) }
        #expect(try vault.restarted.gate.status().blockedFor == 40)
        #expect(throws: PINError.blocked(for: 40)) { try vault.restarted.open() }
        vault.clock.set { $0.isShifted = true }
        #expect(throws: PINError.clockShifted) { try vault.restarted.open() }
        #expect(try vault.restarted.gate.status().blockedFor == 60)
        vault.clock.set { ($0.isShifted, $0.seconds) = (false, 60) }
        try vault.restarted.open()
        #expect(try vault.gate.status().triesLeft == 9)
        try vault.gate.reset()
    }

    @Test func shiftedClocksOpenNothing() throws {
        let vault = try TestVault()
        try vault.set()
        vault.clock.set { $0.isShifted = true }
        #expect(throws: PINError.clockShifted) { try vault.open() }
        #expect(try vault.gate.status().blockedFor == 60)
        #expect(try vault.home.record()?.failures == 0)
        try vault.gate.reset()
    }

    @Test func fileNeverDestroys() throws {
        let vault = try TestVault()
        try vault.set()
        for _ in 0..<5 { #expect { try vault.open("000001", from: .file) } throws: { isWrong($0) } }
        for _ in 0..<20 {
            vault.waitOut()
            #expect(throws: PINError.needsPerson) { try vault.open("000001", from: .file) }
            #expect(throws: PINError.needsPerson) {
                try vault.gate.change(secret("000001"), to: secret("648203"), from: .file)
            }
        }
        #expect(try vault.gate.status() == PINStatus(isSet: true, triesLeft: 4, blockedFor: nil))
        try vault.open()
        try vault.gate.reset()
    }

    @Test func manyProcessesShareOneBudget() async throws {
        let vault = try TestVault()
        try vault.set()
        let errors = await withTaskGroup(of: PINError?.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    do { try vault.open("000001") } catch { return error as? PINError }
                    return nil
                }
            }
            return await group.reduce(into: [PINError?]()) { $0.append($1) }
        }
        for left in 4...8 {
            #expect(errors.contains(.wrong(triesLeft: left, blockedFor: left == 4 ? 60 : nil)))
        }
        #expect(errors.count { $0 == .blocked(for: 60) } == 7)
        #expect(vault.derivations.count == 6)  // one of `set`
        #expect(try vault.gate.status().triesLeft == 4)
        try vault.gate.reset()
    }

    // MARK: Cut short

    /// kill -9 between counting and checking the right PIN: each costs a try, and the fifth begins a block.
    @Test func killBetweenCountAndCheck() async throws {
        let vault = try TestVault()
        try vault.set()
        for killed in 1...5 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = vault.home.path as String] in
                let home = try TestHome(path) { _ in kill(getpid(), SIGKILL) }
                try TestVault(home).open()
            }
            #expect(try vault.gate.status().triesLeft == 9 - killed)
        }
        #expect(throws: PINError.blocked(for: 60)) { try vault.open() }
        #expect(vault.derivations.count == 1)
        vault.waitOut()
        try vault.open()
        try vault.gate.reset()
    }

    @Test func ninthCutShortIsDestroyedAtTheNextOpen() throws {
        struct Cut: Error {}
        let vault = try TestVault()
        try vault.set()
        let id = try #require(try vault.vaultID)
        for _ in 0..<8 {
            #expect { try vault.open("000001") } throws: { isWrong($0) }
            vault.waitOut()
        }
        let cut = try TestVault(TestHome(vault.home.path) { _ in throw Cut() }, clock: vault.clock)
        #expect(throws: Cut.self) { try cut.open() }
        #expect(try vault.gate.status() == PINStatus(isSet: true, triesLeft: 0, blockedFor: nil))
        #expect(throws: PINError.needsPerson) { try vault.open(from: .file) }
        #expect(throws: PINError.destroyed) { try vault.open() }
        #expect(try vault.home.record() == nil)
        #expect(!vault.home.hasRows)
        #expect(try TestKeyring.everything(of: id).isEmpty)
        try vault.set()
        try vault.gate.reset()
    }

    /// A destruction that was interrupted after the device secret was deleted and the record marked is finished later.
    @Test(arguments: [true, false])
    func destructionIsTakenUpAgain(_ bySet: Bool) throws {
        struct Cut: Error {}
        let vault = try TestVault()
        let open = try vault.set()
        try open.setLogHead([1])
        let id = try #require(try vault.vaultID)
        let cut = try TestVault(TestHome(vault.home.path) { _ in throw Cut() }, clock: vault.clock)
        #expect(throws: Cut.self) { try cut.gate.reset() }
        #expect(try vault.home.record()?.sealedMasterKey == [])
        #expect(try vault.service.load(.deviceSecret(of: id)) == nil)
        #expect(try vault.service.load(.logHead(of: id)) != nil)
        if bySet {
            try vault.set()
            #expect(try vault.vaultID != id)
        } else {
            #expect(throws: PINError.destroyed) { try vault.open() }
        }
        #expect(!vault.home.hasRows)
        #expect(try TestKeyring.everything(of: id).isEmpty)
        try vault.gate.reset()
    }

    // MARK: Both halves are needed

    /// With a record that knows no device secret yet, only the length tells.
    @Test(arguments: [(true, 32), (true, 0), (true, 31), (false, 0), (false, 33)])
    func aDamagedDeviceSecretCostsNoTry(isMarked: Bool, count: Int) throws {
        let vault = try TestVault()
        let sealed = try vault.set().seal([1], as: "row")
        let id = try #require(try vault.vaultID)
        var record = try #require(try vault.home.record())
        #expect(record.commitment?.count == 32)
        if !isMarked { record.commitment = nil }
        try vault.home.write(record)
        let name = ItemName.deviceSecret(of: id)
        let kept = try #require(try vault.service.load(name))
        let derived = vault.derivations.count
        try vault.service.store(LockedBytes.random(count), as: name)
        for pin in [TestVault.pin, "000001"] {
            #expect(throws: SecretServiceError.damaged(.deviceSecret, count: count)) { try vault.open(pin) }
        }
        #expect(vault.derivations.count == derived)
        #expect(try vault.gate.status().triesLeft == 9)
        #expect(throws: SecretServiceError.damaged(.deviceSecret, count: count)) {
            try vault.gate.change(secret(TestVault.pin), to: secret("648203"), from: .person)
        }
        try vault.service.store(kept, as: name)
        #expect(try vault.open().open(sealed, as: "row") == [1])
        #expect(try vault.home.record()?.commitment == DeviceSecret.commitment(to: kept, of: id))
        try vault.gate.reset()
    }

    /// What the record keeps of the device secret is a MAC of the vault's id under it, and differs for each vault.
    @Test func theCommitmentIsOneWay() throws {
        let secret = try LockedBytes.random(32)
        let one = try DeviceSecret.commitment(to: secret, of: "one")
        #expect(try one == DeviceSecret.commitment(to: secret, of: "one"))
        #expect(try one != DeviceSecret.commitment(to: secret, of: "two"))
        #expect(try one != DeviceSecret.commitment(to: LockedBytes.random(32), of: "one"))
        #expect(one.count == 32 && one != secret.withBytes { Array($0) })
    }

    /// A kill between the two writes of a try: the database has counted it, the keyring has not.
    @Test func aKillBeforeTheKeyringCountsCostsATry() async throws {
        let vault = try TestVault()
        try vault.set()
        let older = try #require(try vault.home.record())
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = vault.home.path as String] in
            let home = try TestHome(path) { _ in kill(getpid(), SIGKILL) }
            _ = try TestVault(home).open("000001")
        }
        let id = try #require(try vault.vaultID)
        #expect(try vault.service.load(.tries(of: id)) == nil)
        #expect(try vault.gate.status().triesLeft == 8)
        // The older database forgets it, but the PIN was not checked either.
        try vault.home.write(older)
        #expect(throws: PINError.wrong(triesLeft: 8)) { try vault.open("000001") }
        try vault.home.write(older)
        #expect(throws: PINError.wrong(triesLeft: 7)) { try vault.open("000001") }
        try vault.gate.reset()
    }

    /// Each count alone holds: whatever an older database or an older keyring says.
    @Test func theStricterCountHolds() {
        func record(_ failures: Int, series: Int) -> PINRecord {
            PINRecord(
                vaultID: "", salt: [], cost: .init(n: 2, r: 1, p: 1), sealedMasterKey: [], failures: failures,
                series: series)
        }
        let block = PINRecord.Block(bootID: "boot", bootTime: 5, seconds: 60)
        func kept(_ failures: Int, series: Int) -> TryCount {
            TryCount(series: series, failures: failures, block: block)
        }
        for (mine, other, failures) in [
            (record(2, series: 4), nil, 2), (record(2, series: 4), kept(5, series: 4), 5),
            (record(2, series: 4), kept(1, series: 4), 2), (record(0, series: 4), kept(5, series: 3), 0),
            (record(0, series: 4), kept(5, series: 9), 5), (record(6, series: 4), kept(1, series: 9), 6),
        ] {
            let stricter = PINBudget.stricter(mine, other, isSeriesProved: true)
            // A number that is not proved voids nothing.
            let doubted = PINBudget.stricter(mine, other, isSeriesProved: false)
            #expect(doubted.failures == max(mine.failures, other?.failures ?? 0))
            #expect(doubted.series == other?.series ?? mine.series)
            #expect(stricter.failures == failures)
            #expect(stricter.block == (failures > mine.failures ? block : nil))
            #expect(stricter.series == max(mine.series, (other?.series).map { max($0, mine.series) } ?? 0))
        }
    }

    /// Whoever edits the database can begin no new series, in which the keyring's count would no longer hold.
    @Test(arguments: [1, 100, Int.max, Int.min, -1])
    func anEditedSeriesVoidsNoCount(_ series: Int) throws {
        let vault = try TestVault()
        try vault.set()
        for pin in [TestVault.pin, "000001", "000002", "000003"] { _ = try? vault.open(pin) }
        var edited = try #require(try vault.home.record())
        #expect(edited.failures == 3)
        (edited.series, edited.failures) = (series == 1 ? edited.series + 1 : series, 0)
        for mark in [edited.seriesMark, nil, []] {
            edited.seriesMark = mark
            try vault.home.write(edited)
            switch #expect(throws: PINError.self, performing: { try vault.open("000004") }) {
            case .wrong(let left, _)?, .recounted(let left, _)?: #expect(left <= 5)
            case let error: #expect(error == .blocked(for: 60))
            }
        }
        vault.waitOut()
        try vault.home.write(edited)
        // The person hears of it, and after that the right PIN ends the series.
        #expect { try vault.open() } throws: {
            if case PINError.recounted = $0 { true } else { false }
        }
        vault.waitOut()
        try vault.open()
        #expect(throws: PINError.wrong(triesLeft: 8)) { try vault.open("000001") }
        #expect(try vault.gate.status().triesLeft == 8)
        try vault.gate.reset()
    }

    /// A change of the PIN keeps the series, and proves it under the new device secret.
    @Test func aChangeProvesItsSeries() throws {
        let vault = try TestVault()
        try vault.set()
        _ = try? vault.open("000001")
        try vault.open()
        try vault.gate.change(secret(TestVault.pin), to: secret("648203"), from: .person)
        let record = try #require(try vault.home.record())
        let name = ItemName.deviceSecret(record.deviceSecret, of: record.vaultID)
        let device = try #require(try vault.service.load(name))
        #expect(try record.seriesMark == DeviceSecret.mark(of: record.series, of: record.vaultID, under: device))
        #expect(throws: PINError.wrong(triesLeft: 8)) { try vault.open("000001") }
        try vault.open("648203")
        try vault.gate.reset()
    }

    /// The record of one vault and the device secret of another open nothing together.
    @Test func halvesOfTwoVaultsOpenNothing() throws {
        let (one, two) = (try TestVault(), try TestVault())
        try one.set()
        try two.set()
        let (first, second) = (try #require(try one.home.record()), try #require(try two.home.record()))
        // A thief has the file of vault one and the keyring of vault two.
        var mixed = first
        mixed.vaultID = second.vaultID
        // Else it would be seen before.
        mixed.commitment = nil
        try two.home.write(mixed)
        #expect(throws: PINError.wrong(triesLeft: 8)) { try two.open() }
        // A thief has the keyring of vault one and the file of vault two.
        mixed = second
        mixed.vaultID = first.vaultID
        mixed.commitment = nil
        try one.home.write(mixed)
        #expect(throws: PINError.wrong(triesLeft: 8)) { try one.open() }
        try one.home.write(first)
        try two.home.write(second)
        try one.open()
        try two.open()
        try one.gate.reset()
        try two.gate.reset()
    }

    @Test func recordAloneSaysWhatToDo() throws {
        let vault = try TestVault()
        try vault.set()
        try vault.service.deleteAll(of: try #require(try vault.vaultID))
        #expect(throws: PINVault.noDeviceSecret) { try vault.open() }
        #expect(try vault.gate.status().triesLeft == 9)
        #expect(vault.derivations.count == 1)
        try vault.gate.reset()
        #expect(try vault.home.record() == nil)
    }

    @Test func lockedKeyringCostsNoTry() async throws {
        let bus = try PrivateBus()
        await #expect(processExitsWith: .success) { [address = bus.address as String] in
            PrivateBus.join(address)
            let vault = try TestVault()
            let open = try vault.set()
            let sealed = try open.seal([5], as: "row")
            try TestKeyring.lock()
            for _ in 0..<10 { #expect(throws: SecretServiceError.isLocked.by(.gnomeKeyring)) { try vault.open() } }
            #expect(throws: SecretServiceError.isLocked.by(.gnomeKeyring)) {
                try vault.gate.change(secret(TestVault.pin), to: secret("648203"), from: .person)
            }
            #expect(throws: SecretServiceError.isLocked.by(.gnomeKeyring)) { try vault.gate.reset() }
            #expect(throws: SecretServiceError.isLocked.by(.gnomeKeyring)) { try open.token(KeyID("k")) }
            #expect(throws: SecretServiceError.isLocked.by(.gnomeKeyring)) { try open.keyIDs() }
            #expect(throws: SecretServiceError.isLocked.by(.gnomeKeyring)) { try open.setLogHead([1]) }
            #expect(vault.derivations.count == 1)
            // Status and rows need no keyring.
            #expect(try vault.gate.status() == PINStatus(isSet: true, triesLeft: 9, blockedFor: nil))
            #expect(try open.open(sealed, as: "row") == [5])
            // A new vault is refused before anything is written.
            let fresh = try TestVault()
            #expect(throws: SecretServiceError.isLocked.by(.gnomeKeyring)) { try fresh.set() }
            #expect(try fresh.home.record() == nil)
        }
    }

    @Test func missingKeyringCostsNoTry() async throws {
        let vault = try TestVault()
        try vault.set()
        let bus = try PrivateBus("--no-keyring")
        await #expect(processExitsWith: .success) {
            [address = bus.address as String, path = vault.home.path as String] in
            PrivateBus.join(address)
            let vault = try TestVault(TestHome(path))
            for _ in 0..<10 { #expect(throws: SecretServiceError.noService) { try vault.open() } }
            #expect(try vault.gate.status() == PINStatus(isSet: true, triesLeft: 9, blockedFor: nil))
            let fresh = try TestVault()
            #expect(throws: SecretServiceError.noService) { try fresh.set() }
            #expect(try fresh.home.record() == nil)
        }
        try vault.open()
        try vault.gate.reset()
    }
}

/// A store whose disk is full: it runs the change, and writes nothing.
private final class FailingStore: PINRecordStore, @unchecked Sendable {
    // Unchecked, since one test uses it on one thread.
    struct Failure: Error {}
    var wanted: String?

    func record() throws -> PINRecord? { nil }
    func update(_ change: (PINRecord?) throws -> PINRecord?) throws {
        wanted = try change(nil)?.vaultID
        throw Failure()
    }
    func oneAtATime<R>(_ check: () throws -> R) throws -> R { try check() }
    func hasLog() throws -> Bool { false }
    func forgetEarlierRecords() throws {}
    func destroyEverything() throws {}
}

/// A store that runs something before its first check, or whose database another process reads without end.
private final class InterposedStore: PINRecordStore {
    private let home: TestHome
    private let isBusy: Bool
    private let beforeTurn: @Sendable () throws -> Void
    private let turns = Counter()

    init(_ home: TestHome, busy: Bool = false, beforeTurn: @escaping @Sendable () throws -> Void = {}) {
        self.home = home
        isBusy = busy
        self.beforeTurn = beforeTurn
    }

    func record() throws -> PINRecord? { try home.record() }
    func update(_ change: (PINRecord?) throws -> PINRecord?) throws { try home.update(change) }
    func oneAtATime<R>(_ check: () throws -> R) throws -> R {
        turns.add()
        if turns.count == 1 { try beforeTurn() }
        return try home.oneAtATime(check)
    }
    func hasLog() throws -> Bool { try home.hasLog() }
    func forgetEarlierRecords() throws {
        if isBusy { throw StoreError.busy("another process reads the database") }
    }
    func destroyEverything() throws { try home.destroyEverything() }
}
