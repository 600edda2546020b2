import Basics
import FoundationEssentials
import ApprovalModel
import Cryptography
import Keys

/// The data for polling one connection while nothing may be shown: its secrets, the bank's address and the ids there;
/// no names and no content. It lies in locked memory; while the bank is asked, address and ids are also outside of it.
struct HiddenConnection: Sendable {
    let guid: ConnectionGUID
    /// The connection as JSON, reduced to the members for listing.
    private let sealed: LockedBytes
    private let secrets: EnrolledSecrets
    private let opened = OpenedItems<WaitingItem>()

    /// Throws if a secret cannot be read.
    init(_ connection: Connection, _ providers: Providers, _ vault: any OpenVault) throws {
        guid = connection.guid
        secrets = try providers.secrets(of: connection, in: vault)
        var json = try JSONEncoder().encode(try providers.bare(connection))
        defer { json.resetBytes(in: json.indices) }
        sealed = try json.withUnsafeBytes { try LockedBytes(copying: $0) }
    }

    private func connection() throws -> Connection {
        var json = sealed.withBytes { Data($0) }
        defer { json.resetBytes(in: json.indices) }
        return try JSONDecoder().decode(Connection.self, from: json)
    }

    /// The result of one poll: only ids.
    struct Answer: Sendable {
        /// The ids of authorizations that wait for a decision.
        var waiting: Set<BankID>
        /// The ids of authorizations that cannot be opened.
        var faulty: Set<BankID>
        var receivedAt: ContinuousClock.Instant?
    }

    func ask(_ providers: Providers, at now: @Sendable () -> Date) async throws -> Answer {
        let list = try await providers.service(for: connection(), secrets: secrets).waiting(opened)
        let time = now()
        return Answer(
            waiting: Set(list.items.filter { item in item.expiresAt.map { $0 > time } ?? true }.map(\.id)),
            faulty: list.faulty,
            receivedAt: list.receivedAt)
    }
}
