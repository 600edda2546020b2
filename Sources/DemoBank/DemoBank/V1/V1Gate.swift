import FoundationEssentials
import GRDB

/// Authenticates a caller by token, expiry and signature, in the order of the chosen server (saltedge-v1 section 6.4).
struct V1Gate: Sendable {
    let services: BankServices
    let bank: Bank

    private var errors: V1Errors { V1Errors(style: bank.style) }

    func connection(for call: WireCall) async throws -> Connection {
        switch bank.style {
        case .java:
            let expiry = try checkedExpiry(call)
            let signature = try presentSignature(call)
            let connection = try await knownConnection(call)
            guard connection.userID != nil else { throw errors.userNotFound }
            try check(signature, of: call, expiry: expiry, by: connection)
            return connection
        case .ruby:
            let connection = try await knownConnection(call)
            let signature = try presentSignature(call)
            let expiry = try checkedExpiry(call)
            try check(signature, of: call, expiry: expiry, by: connection)
            return connection
        }
    }

    /// The header's text. The Java server reads a number of 32 bits; the reference document allows at most one hour
    /// from now.
    private func checkedExpiry(_ call: WireCall) throws -> String {
        let now = services.clock.now
        guard let text = call.header("Expires-at"), let value = Int32(text), Double(value) > now else {
            throw errors.signatureExpired
        }
        if bank.style == .java, Double(value) > now + 3600 { throw errors.signatureExpired }
        return text
    }

    private func presentSignature(_ call: WireCall) throws -> String {
        guard let signature = call.header("Signature") else { throw errors.signatureMissing }
        return signature
    }

    private func knownConnection(_ call: WireCall) async throws -> Connection {
        guard let token = call.header("Access-Token") else { throw errors.tokenMissing }
        let bankID = bank.id
        let connection = try await services.store.read { db in
            try Connection.filter(
                Column("accessToken") == token && Column("bankID") == bankID
                    && Column("status") == Connection.Status.active.rawValue
                    && Column("protocolVersion") == EnrollmentLink.ProtocolVersion.v1.rawValue
            ).fetchOne(db)
        }
        guard let connection else { throw errors.connectionNotFound }
        return connection
    }

    private func check(_ signature: String, of call: WireCall, expiry: String, by connection: Connection) throws {
        // The Ruby server signs over the query as well, the Java server does not (saltedge-v1 section 6.2).
        let query = bank.style == .ruby ? call.query.map { "?" + $0 } ?? "" : ""
        let head = "\(call.method.lowercased())|\(call.origin)\(call.path)\(query)|\(expiry)|"
        guard let bytes = Data(base64Encoded: signature),
            RSAKeyText.isValid(
                signature: bytes, over: Data(head.utf8) + Data(call.body), publicKey: connection.publicKey)
        else { throw errors.invalidSignature }
    }
}
