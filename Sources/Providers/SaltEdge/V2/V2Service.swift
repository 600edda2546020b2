import Basics
import FoundationEssentials
import ApprovalModel
import Cryptography
import Web

/// One connection to a bank behind an SCA Service that speaks v2.
struct V2Service: SaltEdgeService {
    let connection: Connection
    let state: SaltEdgeState
    let token: any Secret
    let key: any PrivateKey
    let transport: Transport
    let offsets: ClockOffsets
    let providerKeys: ProviderKeys
    let now: @Sendable () -> Date

    /// Only the address says whether a decision confirms or denies, and the signature does not cover the address.
    static let denialPassesAsApproval = true

    /// Sends an unsigned GET (saltedge-v2 section 5).
    func get<T: Decodable & Sendable>(
        _ path: String, as type: T.Type, limit: Int = Call.Limit.single
    ) async throws(BankError) -> (data: T, answer: Answer) {
        let answer = try await transport.ask(Call("GET", try address(path), limit: limit).with(token: token))
        return (try await answer.dataAside(T.self, .v2), answer)
    }

    /// Sends a signed call; sends it again once after the bank said that the signature had expired.
    func call<T: Decodable>(
        _ method: String, _ path: String, _ data: JSONText = .object([]), as type: T.Type
    ) async throws(BankError) -> (data: T, answer: Answer) {
        let address = try address(path)
        return try await byTheBanksClock { () async throws(BankError) in
            let signed = try sign(data, expiresAt: expiry())
            var call = Call(method, address, body: signed.body).with(token: token)
            call.headers.append(signed.header)
            let answer = try await transport.ask(call)
            return (try answer.data(T.self, .v2), answer)
        }
    }

    /// A body with its detached signature (saltedge-v2 section 4.3).
    struct Signed {
        var body: [UInt8]
        /// The bytes that were signed.
        var input: [UInt8]
        var value: String
        var header: (String, String) { ("x-jws-signature", value) }
    }

    /// Signs a body. Throws `cryptography`; an unsigned body is never sent.
    func sign(_ data: JSONText, expiresAt: Int) throws(BankError) -> Signed {
        let body = JSONText.object([("data", data), ("exp", .number(expiresAt))]).bytes
        do {
            let (input, value) = try DetachedJWS.sign(body, with: key)
            return Signed(body: body, input: input, value: value)
        } catch {
            throw BankError(.cryptography, "the request could not be signed")
        }
    }

    /// `path` may end with a query.
    func address(_ path: String) throws(BankError) -> WebAddress {
        do {
            return try WebAddress(connection.baseURL.base.text + V2.path + path)
        } catch {
            throw BankError(.insecure, "the bank's address cannot be used: \(error.reason)")
        }
    }
}
