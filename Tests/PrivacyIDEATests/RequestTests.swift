import Basics
import FoundationEssentials
import ApprovalModel
import Cryptography
import Keys
import Testing
import Web

@testable import PrivacyIDEA

/// Everything that is signed and sent, against vectors that another program made; and what a strict server would say
/// of each with one fault.
struct RequestTests {
    struct Vectors: Decodable {
        struct Wrong: Decodable, Sendable {
            var name: String
            var signature: String
            var error: String
        }
        struct Enrollment: Decodable {
            var credential: String
            var fields: [String: String]
            var wrongKeys: [String: String]
        }
        struct Poll: Decodable {
            var fields: [String: String]
            var text: String
            var wrong: [Wrong]
        }
        struct Reply: Decodable, Sendable, CustomTestStringConvertible {
            var name: String
            var verdict: String
            var option: String?
            var reason: String?
            var fields: [String: String]
            var text: String
            var wrong: [Wrong]
            var testDescription: String { name }
        }
        struct Rollout: Decodable, Sendable, CustomTestStringConvertible {
            var name: String
            var status: Int
            var body: String
            var error: String?
            var testDescription: String { name }
        }
        var serial: String
        var nonce: String
        var enrollment: Enrollment
        var poll: Poll
        var answers: [Reply]
        var rollouts: [Rollout]
    }

    static let vectors: Vectors = Fixture.json("requests")
    /// Never used, and never let go, since it would have to be shut down first. Without settings it cannot fail.
    private static let transport = try! Transport()
    private static let endpoint = "https://mfa.example.test/ttype/push?realm=fern"

    private let key: RSAPrivateKey
    private let service: PushService

    init() throws {
        key = try Fixture.key("connection-4096.pem")
        let enrolled = EnrolledConnection(
            id: try #require(BankID(Self.vectors.serial)), wireProtocol: .push, baseURL: try WebAddress(Self.endpoint),
            bankName: BankText("Fern"))
        service = PushService(
            connection: Connection(
                guid: ConnectionGUID("g"), name: try #require(ConnectionName("fern")), keyID: KeyID("k"),
                enrolled: enrolled, createdAt: .distantPast, updatedAt: .distantPast),
            key: key, transport: Self.transport, memory: PushMemory(), now: { .distantPast })
    }

    /// What a server finds that takes only Base32 in upper case with padding.
    private func verdict(_ signature: String, of text: String) throws -> String? {
        guard !signature.isEmpty, signature.utf8.count % 8 == 0, let bytes = Base32.decode(signature) else {
            return "notBase32"
        }
        let publicKey = try RSAPublicKey(pem: key.publicKeyPEM)
        return publicKey.verify(bytes, of: Array(text.utf8)) ? nil : "unverified"
    }

    private func judge(_ wrong: [Vectors.Wrong], beside right: String?, of text: String) throws {
        let right = try #require(right)
        #expect(try verdict(right, of: text) == nil)
        for fault in wrong {
            #expect(try verdict(fault.signature, of: text) == fault.error, "\(fault.name)")
            #expect(fault.signature != right, "\(fault.name)")
        }
    }

    private func fields(_ form: some StringProtocol) -> [String: String] {
        let pairs = form.split(separator: "&").map { pair in
            pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { Percent.decode(Substring($0)) ?? "" }
        }
        return Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
    }

    @Test func theKeyIsSentInOneFormAlone() async throws {
        let call = service.enrolling(Self.vectors.enrollment.credential)
        let sent = fields(String(decoding: call.body, as: UTF8.self))
        #expect(sent == Self.vectors.enrollment.fields && call.method == "POST" && call.pace == .slow)
        #expect(call.address.text == Self.endpoint)
        for (name, key) in Self.vectors.enrollment.wrongKeys { #expect(sent["pubkey"] != key, "\(name)") }
    }

    @Test func aQuestion() async throws {
        let vector = Self.vectors.poll
        let time = Date(timeIntervalSince1970: 1_928_030_706.25)
        let call = try service.question(at: time)
        var sent = fields(call.address.query ?? "")
        #expect(sent.removeValue(forKey: "realm") == "fern" && call.method == "GET" && call.pace == .quick)
        #expect(sent == vector.fields)
        try judge(vector.wrong, beside: sent["signature"], of: vector.text)
    }

    @Test(arguments: vectors.answers)
    func anAnswer(_ vector: Vectors.Reply) async throws {
        let nonce = Self.vectors.nonce
        let challenge = PushChallenge.Signed(
            nonce: nonce, url: "https://mfa.example.test/answer", serial: Self.vectors.serial, question: "", title: "",
            sslverify: "1", requirePresence: vector.option)
        let authorization = Authorization(
            connection: service.connection.guid, id: try #require(BankID(nonce)), status: .pending,
            title: BankText(""), content: AuthorizationContent(parts: []), source: BankText(challenge.source),
            code: nil,
            createdAt: nil, expiresAt: nil,
            fingerprint: try #require(Fingerprint(bytes: Array(repeating: 1, count: 32))))
        let reply = Reply(
            vector.verdict == "approve" ? .approve : .deny, option: vector.option.map { BankText($0) },
            reason: vector.reason.flatMap(DenialReason.init))
        let signed = try service.sign(reply, on: authorization, clockCorrection: 0)
        let sent = fields(String(decoding: signed.request.body, as: UTF8.self))
        #expect(sent == vector.fields && signed.request.address.text == "https://mfa.example.test/answer")
        #expect(String(decoding: signed.signedBytes, as: UTF8.self) == vector.text)
        #expect(signed.signature == sent["signature"])
        try judge(vector.wrong, beside: sent["signature"], of: vector.text)
    }

    /// How long not to poll again automatically (privacyidea-push section 6.4).
    @Test func refusedQuestions() {
        func refusal(_ status: Int, _ body: String = "{}") -> BankError {
            service.refusal(of: PushAnswer(Answer(status: status, body: Array(body.utf8))))
        }
        let forbidden = refusal(403)
        #expect(forbidden.kind == .refused && forbidden.pause == 86_400)
        for count in 1...6 {
            let unknown = refusal(400, #"{"result":{"status":false,"error":{"code":-311,"message":"hidden"}}}"#)
            #expect(unknown.kind == .notAccepted && unknown.pause == (count < 5 ? nil : 600))
        }
        #expect(refusal(500).kind == .refused && refusal(502, "<html>").status == 502)
        #expect(refusal(200, "<html>").kind == .malformedAnswer)
    }

    @Test(arguments: vectors.rollouts)
    func theServersAnswerToAKey(_ vector: Vectors.Rollout) async throws {
        let expected = try Fixture.publicKey("connection-2048.pem").pem
        var error: String?
        do throws(BankError) {
            let pem = try service.serverKey(
                in: PushAnswer(Answer(status: vector.status, body: Array(vector.body.utf8))))
            #expect(pem == expected)
        } catch let found {
            error = "\(found.kind)"
        }
        #expect(error == vector.error)
    }
}
