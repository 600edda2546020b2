import Basics
import FoundationEssentials
import ApprovalModel
import Testing
@testable import Web
@testable import SaltEdge

/// Every row of the error tables (saltedge-v1 section 12, saltedge-v2 section 10).
@Suite struct ErrorTests {
    @Test(arguments: [
        ("AccessTokenMissing", 400, BankError.Kind.refused), ("AuthorizationRequired", 400, .refused),
        ("ConnectionNotFound", 401, .connectionGone), ("ConnectionNotFound", 400, .connectionGone),
        ("ConnectionNotFound", 200, .connectionGone), ("ConnectionRevoked", 401, .connectionGone),
        ("UserNotFound", 401, .connectionGone), ("UserNotFound", 404, .connectionGone),
        ("SignatureMissing", 400, .refused),
        ("SignatureExpired", 400, .signatureExpired), ("InvalidSignature", 400, .refused),
        ("WrongRequestFormat", 400, .refused), ("BadRequest", 400, .refused), ("JSON::ParserError", 400, .refused),
        ("AuthorizationNotFound", 404, .authorizationGone), ("AuthorizationNotFound", 400, .authorizationGone),
        ("ActionNotFound", 404, .actionRefused), ("ActionNotFound", 400, .actionRefused),
        ("ActionExpired", 400, .actionRefused), ("ActionNotValid", 400, .actionRefused),
        ("SomethingNew", 418, .refused), ("ConsentNotFound", 404, .consentGone),
    ])
    func classes(_ errorClass: String, _ status: Int, _ expected: BankError.Kind) async throws {
        let body = #"{"error_class":"\#(errorClass)","error_message":"Grüße @x","foreign":{}}"#
        let headers = [("Retry-After", "7"), ("Date", "Tue, 01 Jan 2030 00:00:00 GMT"), ("Content-Type", "text/html")]
        try await Fixture.asking({ _ in .text(body, status: status, headers: headers) }) { service, _ in
            let error = await #expect(throws: BankError.self) { try await service.authorizations() }
            #expect(error?.kind == expected)
            #expect(error?.errorClass == BankText(errorClass))
            #expect(error?.bankMessage == BankText("Grüße @x"))
            #expect(error?.status == status)
            #expect(error?.retryAfter == 7)
            #expect(error?.bankTime == Fixture.now)
        }
    }

    @Test(arguments: [
        ("ConnectionNotFound", BankError.Kind.connectionGone), ("ConnectionRevoked", .connectionGone),
        ("AuthorizationNotFound", .authorizationGone), ("ActionNotFound", .actionRefused),
        ("ActionClosed", .actionRefused),
        ("ActionExpired", .actionRefused), ("ConsentNotFound", .consentGone), ("UserNotFound", .refused),
        ("WrongRequestFormat", .refused), ("SignatureMissing", .refused), ("SignatureExpired", .signatureExpired),
        ("InvalidSignature", .refused), ("JWTClaimMissing", .refused), ("JWTExpiredSignature", .signatureExpired),
        ("JWTVerificationError", .refused), ("JWTIncorrectAlgorithm", .refused), ("JWTDecodeError", .refused),
        ("InvalidPublicKey", .refused),
    ])
    func classesOfV2(_ errorClass: String, _ expected: BankError.Kind) {
        #expect(BankError(errorClass: errorClass, status: 401, .v2).kind == expected)
    }

    @Test(arguments: [
        (401, ""), (404, ""), (400, "{}"), (500, "<html><body>Internal Server Error</body></html>"),
        (502, "Bad Gateway"), (404, #"{"error_class":"","error_message":"gone"}"#), (401, #"{"error_class":5}"#),
        (403, #"["error_class"]"#), (301, ""), (400, #"{"data":{"error_class":"ConnectionNotFound"}}"#),
    ])
    func withoutAClassTheStatusAloneDecidesNothing(_ status: Int, _ body: String) async throws {
        try await Fixture.asking({ _ in .text(body, status: status, headers: [("Location", "/elsewhere")]) }) {
            service, bank in
            let error = await #expect(throws: BankError.self) { try await service.authorizations() }
            #expect(error?.kind == .refused)
            #expect(error?.errorClass == nil)
            #expect(error?.status == status)
            // Signed calls follow no redirect.
            #expect(bank.requests.count == 1)
        }
    }

    @Test(arguments: [
        "", " ", "<html></html>", "{}", "[]", "null", #"{"data":null}"#, #"{"data":{}}"#, #"{"data":"x"}"#,
        #"{"data":[}"#,
        "\u{feff}", #"{"data":[]"#, String(repeating: "[", count: 100_000),
        String(repeating: "{\"data\":", count: 100_000),
    ])
    func malformedAnswers(_ body: String) async throws {
        try await Fixture.asking({ _ in .text(body) }) { service, _ in
            #expect(await code { try await service.authorizations() } == .malformedAnswer)
            #expect(await code { try await service.consents() } == .malformedAnswer)
            #expect(await code { try await service.prove() } == .malformedAnswer)
        }
    }

    @Test(
        arguments: [
            ("120", 120), ("0", 0), ("-5", 0), ("99999999999", 86400), ("Tue, 01 Jan 2030 00:01:00 GMT", 60),
            ("Tue, 01 Jan 2019 00:01:00 GMT", 0), ("soon", nil), ("", nil), ("Tue, 32 Jan 2030 00:01:00 GMT", nil),
        ] as [(String, Int?)])
    func retryAfter(_ text: String, _ seconds: Int?) {
        #expect(HTTPDate.delay(text, from: Fixture.now) == seconds)
    }
}
