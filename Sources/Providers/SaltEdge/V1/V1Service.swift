import Basics
import FoundationEssentials
import ApprovalModel
import Cryptography
import Web

/// One connection to a bank that speaks v1.
struct V1Service: SaltEdgeService {
    let connection: Connection
    let state: SaltEdgeState
    let token: any Secret
    let key: any PrivateKey
    let transport: Transport
    let offsets: ClockOffsets
    let now: @Sendable () -> Date

    /// Sends a signed call and reads its `data`; sends it again once after `SignatureExpired` (saltedge-v1 section 6.3).
    func call<T: Decodable & Sendable>(
        _ method: String, _ path: String, as type: T.Type, headers: [(String, String)] = [],
        limit: Int = Call.Limit.single
    ) async throws(BankError) -> (data: T, answer: Answer) {
        let address = connection.baseURL.appending(path: V1.path + path)
        return try await byTheBanksClock { () async throws(BankError) in
            let request = try sign(method, address, body: [], expiresAt: expiry())
            var call = Call(method, address, limit: limit).with(token: token)
            call.headers += request.headers + headers
            let answer = try await transport.ask(call)
            return (try await answer.dataAside(T.self, .v1), answer)
        }
    }

    /// The result of `sign`: the bytes that were signed, and the two headers with the signature.
    struct Signature {
        var bytes: [UInt8]
        var value: String
        var headers: [(String, String)]
    }

    /// Signs a request (saltedge-v1 section 6.1). Throws `cryptography`; an unsigned request is never sent.
    func sign(
        _ method: String, _ address: WebAddress, body: [UInt8], expiresAt: Int
    ) throws(BankError) -> Signature {
        let bytes = RequestSignature.bytesToSign(method: method, url: address.text, expiresAt: expiresAt, body: body)
        do {
            let value = Base64.encode(try key.sign(bytes))
            return Signature(
                bytes: bytes, value: value, headers: [("Expires-at", String(expiresAt)), ("Signature", value)])
        } catch {
            throw BankError(.cryptography, "the request could not be signed")
        }
    }

    /// The verdict is part of the signed body.
    static let denialPassesAsApproval = false

    /// How the person authenticates: always by the PIN (saltedge-v1 section 11).
    static let authorizationType = ("Authorization-Type", "passcode")
}
