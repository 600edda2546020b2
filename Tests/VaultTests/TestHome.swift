import Basics
import Foundation
import Glibc
import Cryptography
import Keys
import Synchronization
@testable import Vault

/// A place on disk for one vault: a PIN record in a file, and a file in place of the ledger's rows.
final class TestHome: PINRecordStore {
    let path: String
    private let lock = Mutex<Void>(())
    /// Runs when an update is on disk.
    private let afterUpdate: @Sendable (PINRecord?) throws -> Void

    init(_ path: String? = nil, afterUpdate: @escaping @Sendable (PINRecord?) throws -> Void = { _ in }) throws {
        self.path = path ?? NSTemporaryDirectory() + "countersign-vault-" + UUID().uuidString
        self.afterUpdate = afterUpdate
        try FileManager.default.createDirectory(atPath: self.path, withIntermediateDirectories: true)
        if path == nil { try Data("rows".utf8).write(to: URL(fileURLWithPath: rows)) }
    }

    private var rows: String { path + "/rows" }
    private var file: String { path + "/pin.json" }
    var hasRows: Bool { FileManager.default.fileExists(atPath: rows) }

    func record() throws -> PINRecord? {
        guard let bytes = FileManager.default.contents(atPath: file) else { return nil }
        return try JSONDecoder().decode(PINRecord.self, from: bytes)
    }

    private let turn = NSLock()

    func oneAtATime<R>(_ check: () throws -> R) throws -> R { try turn.withLock(check) }

    func update(_ change: (PINRecord?) throws -> PINRecord?) throws {
        let changed = try lock.withLock { _ in
            let changed = try change(try record())
            try write(changed)
            return changed
        }
        try afterUpdate(changed)
    }

    /// Whether there is a log: a file in its place.
    func hasLog() throws -> Bool { FileManager.default.fileExists(atPath: path + "/log") }

    func write(_ record: PINRecord?) throws {
        guard let record else { return try remove(file) }
        let bytes = try JSONEncoder().encode(record)
        guard FileManager.default.createFile(atPath: file + ".new", contents: bytes) else { throw POSIXError(.EIO) }
        let handle = FileHandle(forWritingAtPath: file + ".new")
        try handle?.synchronize()
        try handle?.close()
        guard rename(file + ".new", file) == 0 else { throw POSIXError(.EIO) }
    }

    /// Does nothing, since the file only ever has the newest record.
    func forgetEarlierRecords() throws { try afterUpdate(record()) }

    func destroyEverything() throws {
        try remove(rows)
        try remove(file)
    }

    private func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw POSIXError(.EIO) }
    }
}

/// Clocks that a test sets.
final class TestClock: Sendable {
    struct State {
        var now = Date(timeIntervalSince1970: 1_800_000_000)
        var bootID = "boot-1"
        var seconds: Int64 = 1000
        var isShifted = false
    }

    private let state = Mutex(State())

    func set(_ change: @Sendable (inout State) -> Void) { state.withLock { change(&$0) } }

    var clock: Clock {
        Clock(
            now: { self.state.withLock { $0.now } },
            boot: { self.state.withLock { $0.isShifted ? nil : BootTime(bootID: $0.bootID, seconds: $0.seconds) } })
    }
}

/// A vault in its home, as one process sees it. `restarted` is the vault as the next process sees it.
struct TestVault {
    static let cheap = PINRecord.Cost(n: 16, r: 1, p: 1)
    static let pin = "275910"

    let home: TestHome
    let clock: TestClock
    let derivations = Counter()
    let service: SecretService

    init(_ home: TestHome? = nil, clock: TestClock = TestClock()) throws {
        self.home = try home ?? TestHome()
        self.clock = clock
        service = try TestKeyring.service()
    }

    var gate: PINVault { gate(cost: Self.cheap) }

    func gate(cost: PINRecord.Cost) -> PINVault {
        PINVault(records: home, service: service, clock: clock.clock, cost: cost) { [derivations] pin, salt, cost in
            derivations.add()
            return try Scrypt.derive(pin, salt: salt, cost: cost, count: 32)
        }
    }

    var restarted: TestVault { get throws { try TestVault(TestHome(home.path), clock: clock) } }

    @discardableResult
    func open(_ pin: String = Self.pin, from source: PINSource = .person) throws -> any OpenVault {
        try gate.open(with: secret(pin), from: source)
    }

    @discardableResult
    func set(_ pin: String = Self.pin) throws -> any OpenVault { try gate.set(secret(pin)) }

    /// Lets every block run out.
    func waitOut() { clock.set { $0.seconds += 3600 } }

    var vaultID: String? { get throws { try home.record()?.vaultID } }
}

final class Counter: Sendable {
    private let value = Mutex(0)
    func add() { value.withLock { $0 += 1 } }
    var count: Int { value.withLock { $0 } }
}

func secret(_ text: String) throws -> LockedBytes {
    var bytes = Array(text.utf8)
    return try LockedBytes(wiping: &bytes)
}

func bytes(of secret: any Secret) -> [UInt8] { secret.withBytes { Array($0) } }

/// Whether a PIN was wrong, however many tries it leaves.
func isWrong(_ error: any Error) -> Bool {
    if case PINError.wrong = error { true } else { false }
}
