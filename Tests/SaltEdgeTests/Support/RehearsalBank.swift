import Basics
import DemoBank
import FoundationEssentials
import ApprovalModel
import Cryptography
import Keys
@testable import SaltEdge
import Testing
@testable import Web

/// The demo bank in this process, its admin API, and a person who has an account there.
struct RehearsalBank {
    let base: WebAddress
    let transport: Transport
    let banks: SaltEdgeProvider

    /// Serves while `body` runs. The client's clock is the real one, like the bank's.
    static func run<R: Sendable>(_ body: @escaping @Sendable (RehearsalBank) async throws -> R) async throws -> R {
        var options = DemoBank.Options()
        options.port = 0
        let bank = try DemoBank(options: options)
        let (ready, tell) = AsyncStream.makeStream(of: String.self)
        return try await withThrowingTaskGroup(of: R?.self) { group in
            group.addTask {
                try await bank.run { tell.yield($0) }
                return nil
            }
            var addresses = ready.makeAsyncIterator()
            let base = try WebAddress(try #require(await addresses.next()))
            let transport = try Transport(patience: Fixture.patient)
            defer { group.cancelAll() }
            do {
                let rehearsal = RehearsalBank(
                    base: base, transport: transport, banks: SaltEdgeProvider(transport: transport))
                _ = try await rehearsal.admin("POST", "users", #"{"name":"ada","password":"secret"}"#)
                let result = try await body(rehearsal)
                await transport.shutdown()
                return result
            } catch {
                await transport.shutdown()
                throw error
            }
        }
    }

    @discardableResult
    func admin(_ method: String, _ path: String, _ body: String = "") async throws -> JSON {
        let address = try WebAddress("\(base.text)/admin/\(path)")
        let answer = try await transport.send(
            Call(
                method: method, address: address, headers: [("Content-Type", "application/json")],
                body: Array(body.utf8)))
        try #require(answer.status / 100 == 2, "\(String(decoding: answer.body, as: UTF8.self))")
        return try JSONDecoder().decode(JSON.self, from: Data(answer.body))
    }

    struct Enrolled: Sendable {
        var connection: Connection
        var token: any Secret
        var key: RSAPrivateKey
    }

    /// Enrolls by an instant link, as the program does.
    func enroll(_ options: String = "") async throws -> Enrolled {
        let made = try await admin("POST", "links", #"{"user":"ada","instant":true\#(options)}"#)
        guard case .connect(let link) = try SaltEdgeLink.parse(try #require(made["link"].text)) else {
            throw BankError(.refused, "no connect link")
        }
        let configuration = try await banks.configuration(at: link.configuration)
        let key = try Fixture.key()
        let returnURL = "http://127.0.0.1:4711/c/9f"
        let created = try await banks.create(
            at: configuration, publicKey: key.publicKeyPEM, returnURL: returnURL, connectQuery: link.connectQuery)
        let token: any Secret
        switch created.next {
        case .token(let given): token = given
        case .redirect(let address): token = try grant(address, returnURL, configuration, key)
        case .page(let page):
            // The page of an instant link redirects at once.
            let answer = try await transport.send(Call("GET", page))
            token = try grant(try #require(answer.location), returnURL, configuration, key)
        }
        let connection = Connection(
            guid: Fixture.guid, name: try #require(ConnectionName("demo")), keyID: KeyID("k"),
            enrolled: try configuration.enrolled(try #require(created.id), key: key, token: token), createdAt: Date(),
            updatedAt: Date())
        return Enrolled(connection: connection, token: token, key: key)
    }

    private func grant(
        _ address: String, _ returnURL: String, _ configuration: BankConfiguration, _ key: RSAPrivateKey
    ) throws -> any Secret {
        guard case .grant(let grant) = Redirect.parse(address, returnURL: returnURL) else {
            throw BankError(.refused, "no grant in the redirect")
        }
        return try banks.token(in: grant, for: configuration, key: key)
    }

    func service(_ enrolled: Enrolled) throws -> any BankService {
        try banks.service(for: enrolled.connection, token: enrolled.token, key: enrolled.key)
    }

    /// Decides as the program does, but without a log.
    func decide(
        _ verdict: Verdict, _ authorization: Authorization, _ service: any BankService, at position: Geolocation? = nil
    )
        async throws -> Outcome
    {
        let signed = try service.sign(Reply(verdict, at: position), on: authorization, clockCorrection: 0)
        return try await service.send(RecordedDecision(decision: signed, sequence: 1)).outcome
    }
}

/// Any JSON, for looking into answers.
enum JSON: Decodable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let array = try? value.decode([JSON].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSON].self))
        }
    }

    subscript(_ name: String) -> JSON {
        if case .object(let members) = self { members[name] ?? .null } else { .null }
    }

    subscript(_ index: Int) -> JSON {
        items.indices.contains(index) ? items[index] : .null
    }

    /// The elements of an array, or of the only array in an object.
    var items: [JSON] {
        switch self {
        case .array(let items): items
        case .object(let members):
            members.values.compactMap { if case .array(let items) = $0 { items } else { nil } }.first ?? []
        default: []
        }
    }

    /// A string, or a whole number's digits.
    var text: String? {
        switch self {
        case .string(let text): text
        case .number(let number): String(Int(number))
        default: nil
        }
    }
}
