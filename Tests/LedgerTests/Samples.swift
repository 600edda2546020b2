@testable import Records
import Basics
import Foundation
@testable import Ledger
import ApprovalModel
import Keys
import Testing

/// Dates with every bit set, so that a lost digit shows.
let somewhen = Date(timeIntervalSinceReferenceDate: 812_345_678.123_456_789)
let later = somewhen.addingTimeInterval(0.000_001)

let requester = Requester(pid: 4711, uid: 1000, commands: ["countersign approve", "bash"])

func connection(_ guid: String, _ name: String = "fernbank", bank: String = "Fern Bank") throws -> Connection {
    Connection(
        guid: ConnectionGUID(guid), name: try #require(ConnectionName(name)), keyID: KeyID("key-" + guid),
        enrolled: EnrolledConnection(
            id: try #require(BankID("77")), wireProtocol: WireProtocol(rawValue: "saltedge-v1"),
            baseURL: try WebAddress("https://sca.fernbank.example"), bankName: BankText(bank),
            state: try ProviderState([
                "configurationURL": "https://sca.fernbank.example/configuration?x=1", "bankCode": "fern",
            ])),
        createdAt: somewhen, updatedAt: later)
}

/// A decision on authorization `id`, with the card that was shown.
struct Sample {
    var signed: SignedDecision
    var card: ShownCard

    init(
        _ id: String = "1", connection: String = "one", code: String? = "c0de", verdict: Verdict = .approve,
        title: String = "Pay 9.90 EUR"
    ) throws {
        let guid = ConnectionGUID(connection)
        let id = try #require(BankID(id))
        let fingerprint = try #require(Fingerprint(bytes: [UInt8](repeating: 7, count: 32)))
        let text = BankText(title)
        signed = SignedDecision(
            authorization: Authorization(
                connection: guid, id: id, status: .pending, title: text,
                content: AuthorizationContent(parts: [.text(text)]), source: text, code: code.map { BankText($0) },
                createdAt: somewhen, expiresAt: later, fingerprint: fingerprint),
            verdict: verdict, signedBytes: Array("confirm|\(id.text)\u{0}\u{1}|ü".utf8), signature: "c2lnbmVk",
            request: SignedRequest(
                method: "put", address: try WebAddress("https://sca.fernbank.example"), headers: [], body: []))
        card = ShownCard(
            connection: guid, connectionName: try #require(ConnectionName("fernbank")), bank: BankText("Fern Bank"),
            host: "sca.fernbank.example", id: id, title: text, text: "To Fern Books\n" + title,
            fields: ["payee": "Fern Books", "transaction_type": "one_off"],
            source: BankText("{\"title\":\"\(title)\"}"),
            code: code.map { BankText($0) }, expiresAt: later, fingerprint: fingerprint)
    }
}

extension SealedLog {
    func send(_ sample: Sample) throws -> RecordedDecision {
        try recordSending(sample.signed, shown: sample.card, by: requester, at: somewhen)
    }
}
