import Records
import Approvals
import Basics
import CYardstick
import FoundationEssentials
import Ledger
import ApprovalModel
import Cryptography
import SaltEdge
import Vault
import Web

/// What a home with a PIN and connections does, on the real keyring, disk and banks. Wired as the program is.
struct HomeFigures {
    private let database: StateDatabase
    private let gate: PINVault
    private let digits: String

    init(home: String, pin digits: String) throws {
        database = StateDatabase(try StateDirectory(home: home, environment: [:]))
        gate = PINVault(records: database, service: SecretService(allowsPrompt: false))
        self.digits = digits
    }

    /// A copy for each check, which wipes it.
    private var pin: LockedBytes {
        get throws {
            var bytes = Array(digits.utf8)
            return try LockedBytes(wiping: &bytes)
        }
    }

    /// The whole check: the keyring asked, the try counted on disk, scrypt, the master key opened, the count put back.
    func pinCheck() async throws {
        guard let record = try database.record() else { throw Broken("the home has no PIN") }
        let cost = record.cost
        let checking = try await Comparison.run(rounds: 15, in: .elapsed) {
            _ = try gate.open(with: pin, from: .file)
        } yardstick: {
            try done(
                yardstick_scrypt(
                    digits, digits.utf8.count, record.salt, record.salt.count, cost.n, UInt64(cost.r), UInt64(cost.p)))
        }
        Figure.times("PIN check / EVP_PBE_scrypt", checking, atMost: 1.1).print()
    }

    /// What a renewal of a session's token costs.
    func renewal() async throws {
        try await SessionFigures(database: database, vault: try gate.open(with: pin, from: .file)).renewal()
    }

    /// A poll of all connections beside one of the connection whose bank is the slowest.
    func poll(slowest name: String) async throws {
        let vault = try gate.open(with: pin, from: .file)
        let transport = try Transport()
        let workspace = Workspace(
            vault: vault, connections: SealedConnections(database, sealer: vault),
            log: SealedLog(database, sealer: vault), providers: Providers([SaltEdgeProvider(transport: transport)]),
            clock: SystemClock.live)
        let all = try workspace.connections.connections()
        let slowest = try workspace.connection(named: name)
        let inbox = Inbox(workspace)
        let polling = try await Comparison.run(rounds: 9, in: .elapsed) {
            try check(await inbox.fetch(all))
        } yardstick: {
            try check(await inbox.fetch([slowest]))
        }
        await transport.shutdown()
        Figure.times("poll of \(all.count) connections / of the slowest", polling, atMost: 1.3).print()
    }

    private func check(_ answers: [Inbox.Answer]) throws {
        for answer in answers {
            guard try !answer.result.get().authorizations.isEmpty else { throw Broken("a bank lists nothing") }
        }
    }
}
