import GRDB
import Hummingbird
import Synchronization

/// Services that all parts of the bank share: storage, clock, faults, log and address.
struct BankServices: Sendable {
    let store: Store
    let clock = BankClock()
    let faults = FaultList()
    let requests = RequestLog()
    let address: PublicAddress

    /// The bank whose code is in the path, or the bank at the root.
    func bank(_ context: BankContext) async throws -> Bank {
        try await bank(code: context.parameters.get("bank") ?? Bank.defaultCode)
    }

    func bank(code: String) async throws -> Bank {
        let bank = try await store.read { db in try Bank.filter(Column("code") == code).fetchOne(db) }
        guard let bank else { throw HTTPError(.notFound, message: "there is no bank called \(code)") }
        return bank
    }

    /// The base URL of a bank, its `connect_url`.
    func baseURL(of bank: Bank) -> String { address.url + bank.prefix }
}

/// The URL under which this process is reached. It is known for certain only when the port is bound.
final class PublicAddress: Sendable {
    private let current: Mutex<String>

    init(_ url: String) { current = Mutex(url) }

    var url: String { current.withLock { $0 } }
    var scheme: String { url.hasPrefix("https:") ? "https" : "http" }

    func set(_ url: String) { current.withLock { $0 = url } }
}
