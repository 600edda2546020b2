import FoundationEssentials
import SCA
import SCACrypto

/// What polling needs of one connection while nothing may be shown: token, key and base URL, in locked memory. No name of a
/// bank, no content.
struct HiddenConnection: Sendable {
    let guid: ConnectionGUID
    /// The connection as JSON, without what is only for people.
    private let sealed: LockedBytes
    private let token: any Secret
    private let key: any PrivateKey

    /// Throws when key or token cannot be had.
    init(_ connection: Connection, _ vault: any OpenVault) throws {
        var bare = connection
        bare.bankName = BankText("")
        bare.supportEmail = nil
        guid = connection.guid
        token = try vault.token(connection.keyID)
        key = try vault.key(connection.keyID)
        var bytes = Array(try JSONEncoder().encode(bare))
        sealed = try LockedBytes(wiping: &bytes)
    }

    /// Who waits for a decision there: ids alone, everything else is dropped at once.
    func waiting(_ banks: any BankEnrollment, at now: @Sendable () -> Date) async throws -> Set<BankID> {
        let connection = try sealed.withBytes { try JSONDecoder().decode(Connection.self, from: Data($0)) }
        let list = try await banks.service(for: connection, token: token, key: key).authorizations()
        let moment = now()
        return Set(list.authorizations.filter { $0.status == .pending && !$0.isExpired(at: moment) }.map(\.id))
    }
}
