import Authenticator
import FoundationEssentials
import SCA
import SCACrypto

/// What polling needs of one connection while nothing may be shown: token, key, and the bank's address with the ids there.
/// It is in locked memory; address and ids are outside of it too while the bank is asked. No names, no content.
struct HiddenConnection: Sendable {
    let guid: ConnectionGUID
    /// The connection as JSON, without what listing does not need.
    private let sealed: LockedBytes
    private let token: any Secret
    private let key: any PrivateKey

    /// Throws when key or token cannot be had.
    init(_ connection: Connection, _ vault: any OpenVault) throws {
        var bare = connection
        bare.name = ConnectionName(suggestedBy: BankText(""))
        bare.bankName = BankText("")
        bare.bankCode = BankText("")
        bare.supportEmail = nil
        bare.configurationURL = bare.baseURL
        guid = connection.guid
        token = try vault.token(connection.keyID)
        key = try vault.key(connection.keyID)
        var json = try JSONEncoder().encode(bare)
        defer { json.resetBytes(in: json.indices) }
        sealed = try json.withUnsafeBytes { try LockedBytes(copying: $0) }
    }

    private func connection() throws -> Connection {
        var json = sealed.withBytes { Data($0) }
        defer { json.resetBytes(in: json.indices) }
        return try JSONDecoder().decode(Connection.self, from: json)
    }

    /// Who waits for a decision there: ids alone, everything else is dropped at once.
    func waiting(_ banks: any BankEnrollment, at now: @Sendable () -> Date) async throws -> Set<BankID> {
        let list = try await banks.service(for: connection(), token: token, key: key).authorizations()
        return Set(list.pending(at: now()).map(\.id))
    }
}
