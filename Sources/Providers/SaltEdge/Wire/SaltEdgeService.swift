import Basics
import FoundationEssentials
import ApprovalModel
import Cryptography
import Web

/// The parts that the services of both versions share.
protocol SaltEdgeService: BankService {
    var connection: Connection { get }
    var state: SaltEdgeState { get }
    var token: any Secret { get }
    var key: any PrivateKey { get }
    var transport: Transport { get }
    var offsets: ClockOffsets { get }
    var now: @Sendable () -> Date { get }
    /// Whether a signed denial could be used as an approval; see `Authorization`.
    static var denialPassesAsApproval: Bool { get }
}

extension SaltEdgeService {
    /// When a request that is signed now expires: in 300 s by the bank's clock (saltedge-v1 section 6.3, saltedge-v2
    /// section 4.3). Unless it is 0, `correction` replaces the known offset of that clock.
    func expiry(correction: Int = 0) -> Int { bankTime(correction) + 300 }

    private func bankTime(_ correction: Int) -> Int {
        Int(now().timeIntervalSince1970) + (correction == 0 ? offsets[connection.baseURL] : correction)
    }

    /// As `expiry(correction:)`, for a decision, which must not be valid for longer than its authorization. For one
    /// that has expired by the bank's clock the usual time is used; such an authorization can no longer be approved,
    /// only denied.
    func expiry(of authorization: Authorization, correction: Int) -> Int {
        guard let expiresAt = authorization.expiresAt else { return expiry(correction: correction) }
        let end = Int(min(expiresAt.timeIntervalSince1970, Double(Int32.max) * 4))
        return end > bankTime(correction) ? min(expiry(correction: correction), end) : expiry(correction: correction)
    }

    /// Makes a signed call; makes it again once, by the bank's clock, after `signatureExpired`.
    func byTheBanksClock<R>(_ once: () async throws(BankError) -> R) async throws(BankError) -> R {
        do {
            return try await once()
        } catch {
            guard error.kind == .signatureExpired, try learnClock(from: error) else { throw error }
            return try await once()
        }
    }

    /// Remembers the bank's time if the error has it, and returns whether it did. Throws `clocksDiffer`.
    func learnClock(from error: BankError) throws(BankError) -> Bool {
        guard let seconds = try ClockCorrection.seconds(told: error, at: now()) else { return false }
        offsets[connection.baseURL] = seconds
        return true
    }

    /// Throws unless an item belongs to this connection. An item that this connection's key opens might claim to be
    /// another one's.
    func check(_ id: BankID, isOf owner: BankID) throws(ItemFault) {
        guard owner == connection.id else { throw .unopened(id) }
    }

    /// The opened and checked authorization.
    func authorization(
        _ id: BankID, _ status: AuthorizationStatus, title: String, parts: [AuthorizationContent.Part], code: String?,
        createdAt: String?, expiresAt: String, plaintext: LockedBytes
    ) throws(ItemFault) -> Authorization {
        var created: Date?
        if let createdAt { created = try ItemFault.time(createdAt, of: id) }
        let expires = try ItemFault.time(expiresAt, of: id)
        guard
            let fingerprint = try? plaintext.withBytes({
                try Fingerprint(connection: connection.guid.text, id: id.text, plaintext: $0)
            })
        else { throw .unopened(id) }
        return Authorization(
            connection: connection.guid, id: id, status: status, title: BankText(title),
            content: AuthorizationContent(parts: parts),
            source: plaintext.withBytes { BankText(String(decoding: $0, as: UTF8.self)) },
            code: code.map(BankText.init), createdAt: created, expiresAt: expires, fingerprint: fingerprint,
            denialPassesAsApproval: Self.denialPassesAsApproval, needsPosition: state.geolocationRequired == true)
    }
}
