import Basics
import FoundationEssentials
import ApprovalModel
import Cryptography
import Keys
@testable import SaltEdge
import Testing
@testable import Web

/// What tests of the protocols share: test keys, a connection, envelopes.
enum Fixture {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static func file(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }

    static func key(_ name: String = "connection-2048.pem") throws -> RSAPrivateKey {
        try RSAPrivateKey(pem: try file("Keys/" + name))
    }

    static func secret(_ text: String) throws -> LockedBytes {
        var bytes = Array(text.utf8)
        return try LockedBytes(wiping: &bytes)
    }

    static let now = Date(timeIntervalSince1970: 1_893_456_000)
    static let guid = ConnectionGUID("7c2d6d2e-5a52-4f0e-9d4c-1f5f3f0a6a11")

    static func configuration(_ wire: WireProtocol, _ base: WebAddress, providerKey: String? = nil) -> BankConfiguration
    {
        BankConfiguration(
            wireProtocol: wire, source: base, baseURL: base, code: BankText("9"), name: BankText("Fern Bank"),
            providerKey: providerKey)
    }

    static func connection(_ wire: WireProtocol, _ base: WebAddress, providerKey: String? = nil) throws -> Connection {
        Connection(
            guid: guid, name: try #require(ConnectionName("fern")), keyID: KeyID("k"),
            enrolled: try configuration(wire, base, providerKey: providerKey).enrolled(
                try #require(BankID("12")), key: try key(), token: try secret("tok-1")),
            createdAt: now, updatedAt: now)
    }

    /// The service of that connection, with a fixed clock.
    static func service(
        _ wire: WireProtocol, _ base: WebAddress, _ transport: Transport, now: Date = now, providerKey: String? = nil
    ) throws -> any BankService {
        try SaltEdgeProvider(transport: transport, now: { now }).service(
            for: try connection(wire, base, providerKey: providerKey), token: try secret("tok-1"), key: try key())
    }

    static func banks(_ transport: Transport) -> SaltEdgeProvider {
        SaltEdgeProvider(transport: transport, now: { now })
    }

    /// A plaintext sealed for `key`, as a list or a single answer of v1 has it.
    static func item(
        _ id: String, _ plaintext: String, connection: String = "12", key: RSAPrivateKey,
        algorithm: String? = "AES-256-CBC"
    ) throws -> String {
        let envelope = try Envelope.seal(try secret(plaintext), for: try RSAPublicKey(pem: key.publicKeyPEM))
        let algorithm = algorithm.map { #""algorithm":"\#($0)","# } ?? ""
        return #"""
            {"id":\#(id),"connection_id":\#(connection),\#(algorithm)
            "key":"\#(envelope.key)","iv":"\#(envelope.iv)","data":"\#(envelope.data)"}
            """#
    }

    static func payload(_ id: String, _ change: [String: String?] = [:]) -> String {
        var members: [String: String?] = [
            "id": #""\#(id)""#, "connection_id": #""12""#, "title": #""Pay 9.90 EUR""#,
            "description": #""To Fern Books""#,
            "authorization_code": #""c0de""#, "created_at": #""2030-01-01T00:00:00.000Z""#,
            "expires_at": #""2030-01-01T00:05:00.000Z""#,
        ]
        members.merge(change) { $1 }
        return "{" + members.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }.joined(separator: ",")
            + "}"
    }

    /// Long time limits, for busy machines.
    static let patient = Transport.Patience(connect: 60, whole: 600)

    /// A new transport, shut down afterwards.
    static func overTransport<R>(
        patience: Transport.Patience = patient, authorities: String? = nil, environment: [String: String] = [:],
        _ body: (Transport) async throws -> R
    ) async throws -> R {
        let transport = try Transport(
            authorities: authorities, environment: environment, patience: patience, now: { now })
        do {
            let result = try await body(transport)
            await transport.shutdown()
            return result
        } catch {
            await transport.shutdown()
            throw error
        }
    }

    /// A scripted bank and the service of a connection to it.
    static func asking<R>(
        _ script: @escaping ScriptedBank.Script, wire: WireProtocol = .saltEdgeV1,
        patience: Transport.Patience = patient, providerKey: String? = nil,
        _ body: (any BankService, ScriptedBank) async throws -> R
    ) async throws -> R {
        try await overTransport(patience: patience) { transport in
            try await ScriptedBank.serve(script) { bank in
                try await body(try service(wire, bank.base, transport, providerKey: providerKey), bank)
            }
        }
    }
}

extension SaltEdgeProvider {
    func service(for connection: Connection, token: any Secret, key: any PrivateKey) throws -> any BankService {
        try service(for: connection, secrets: EnrolledSecrets().with(.key, key).with(.token, token))
    }
}

extension SaltEdgeLink {
    /// Reads a link as the program does.
    static func parse(_ text: String, schemes: [String] = ["authenticator"]) throws -> SaltEdgeLink {
        switch try LinkReaders([SaltEdgeLinks(schemes: schemes)]).read(text) {
        case .connect(let link): .connect(try #require(link.content as? SaltEdgeConnect))
        case .action(let link): .action(try #require(link.content as? SaltEdgeAction))
        }
    }
}

/// The kind of the `BankError` that `body` throws; nil when it throws none.
func code(_ body: () async throws -> some Any) async -> BankError.Kind? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? BankError)?.kind
    }
}

extension BankError.Kind {
    /// Whatever the obstacle is.
    var isUnreachable: Bool { if case .unreachable = self { true } else { false } }
}
