import Basics
import FoundationEssentials
import ApprovalModel
import Cryptography
@testable import SaltEdge
import Testing

@Suite struct V2ServiceTests {
    private static let provider = "foreign-2048.pem"

    private func asking<R>(
        _ script: @escaping ScriptedBank.Script, _ body: (V2Service, ScriptedBank) async throws -> R
    ) async throws -> R {
        let providerKey = try Fixture.key(Self.provider).publicKeyPEM
        return try await Fixture.asking(script, wire: .saltEdgeV2, providerKey: providerKey) { service, bank in
            try await body(try #require(service as? V2Service), bank)
        }
    }

    private func payload(_ description: String, _ change: [String: String?] = [:]) -> String {
        var members: [String: String?] = [
            "title": #""Payment to Fern Books""#, "authorization_code": #""9f3a""#, "description": description,
            "created_at": #""2030-01-01T02:00:00+02:00""#, "expires_at": #""2030-01-01T00:10:00Z""#,
        ]
        members.merge(change) { $1 }
        return "{" + members.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }.joined(separator: ",")
            + "}"
    }

    private func item(_ id: String, _ status: String, _ plaintext: String?, connection: String = "12") throws -> String
    {
        guard let plaintext else {
            return
                #"{"id":\#(id),"connection_id":\#(connection),"status":"\#(status)","key":"","iv":"","data":"","finished_at":"2030-01-01T00:02:10Z"}"#
        }
        let sealed = try Fixture.item(id, plaintext, connection: connection, key: try Fixture.key(), algorithm: nil)
        return sealed.replacing("\"key\":", with: "\"status\":\"\(status)\",\"key\":")
    }

    private func authorization(code: String? = "9f3a") throws -> Authorization {
        Authorization(
            connection: Fixture.guid, id: try #require(BankID("88")), status: .pending, title: BankText("t"),
            content: AuthorizationContent(parts: []), source: BankText("{}"), code: code.map(BankText.init),
            createdAt: nil,
            expiresAt: Fixture.now,
            fingerprint: try #require(Fingerprint(bytes: [UInt8](repeating: 0, count: 32))))
    }

    // MARK: Lists

    @Test func onlyPendingItemsAreOpened() async throws {
        let good = payload(#"{"text":"Hi"}"#)
        let items = [
            try item("88", "pending", good),
            try item(#""89""#, "pending", payload("{}", ["created_at": nil, "authorization_code": nil])),
            try item("90", "confirm_processing", good), try item("91", "confirmed", nil), try item("92", "closed", nil),
            try item("93", "brand_new", good), try item("94", "pending", nil),
            try item("95", "pending", good, connection: "13"), try item("96", "pending", payload(#""text""#)),
            try item("97", "pending", payload("{}", ["title": nil])), try item("98", "denied", "not for decrypting"),
            #"{"id":99,"connection_id":12,"status":"confirmed"}"#,
            #"{"id":100,"connection_id":12,"key":"","iv":"","data":""}"#,
            try item("101", "confirmed", nil, connection: "13"),
        ]
        try await asking({ _ in .text("{\"data\":[\(items.joined(separator: ","))]}") }) { service, bank in
            let list = try await service.authorizations()
            #expect(list.authorizations.map(\.id.text) == ["89", "88"])
            #expect(Set(list.faults.compactMap(\.id?.text)) == ["94", "95", "96", "97"])
            #expect(list.listed.count == items.count)
            let settled = Dictionary(uniqueKeysWithValues: list.settled.map { ($0.key.text, $0.value) })
            #expect(
                settled == [
                    "90": .confirmProcessing, "91": .confirmed, "92": .closed, "93": .unknown(BankText("brand_new")),
                    "98": .denied, "99": .confirmed, "100": .unknown(BankText("")),
                ])
            let opened = try #require(list.authorizations.last)
            #expect(opened.createdAt == Fixture.now && opened.code == BankText("9f3a"))
            #expect(opened.content.parts == [.text(BankText("Hi"))])
            #expect(list.authorizations.first?.code == nil)
            // A GET is not signed.
            #expect(bank.requests.map { "\($0.method) \($0.target)" } == ["GET /api/authenticator/v2/authorizations"])
            #expect(bank.requests.first?.header("x-jws-signature") == nil)
            #expect(bank.requests.first?.header("Access-Token") == "tok-1")
            for name in ["Signature", "Expires-at", "Authorization-Type"] {
                #expect(bank.requests.first?.header(name) == nil)
            }

            _ = try await service.authorizations(for: try #require(BankID("47/1")))
            #expect(bank.requests.last?.target == "/api/authenticator/v2/authorizations?action_id=47%2F1")
        }
    }

    @Test(
        arguments: [
            ("pending", true, nil), ("confirm_processing", true, nil), ("deny_processing", false, .authorizationGone),
            ("confirmed", false, .authorizationGone), ("denied", true, .authorizationGone),
            ("closed", false, .authorizationGone),
            ("brand_new", true, nil), ("pending", false, .authorizationGone),
        ] as [(String, Bool, BankError.Kind?)])
    func oneItem(_ word: String, _ sealed: Bool, _ expected: BankError.Kind?) async throws {
        let item = try item("88", word, sealed ? payload(#"{"text":"Hi"}"#) : nil)
        try await asking({ _ in .text("{\"data\":\(item)}") }) { service, _ in
            let id = try #require(BankID("88"))
            var opened: Authorization?
            #expect(await code { opened = try await service.authorization(id) } == expected)
            #expect(opened?.status == (expected == nil ? AuthorizationStatus(word: word) : nil))
            #expect(try await service.status(of: id) == AuthorizationStatus(word: word))
            #expect(await code { try await service.status(of: try #require(BankID("89"))) } == .malformedAnswer)
        }
    }

    // MARK: Descriptions

    @Test(
        arguments: [
            (
                #"{"text":"Sign in to Fern Online","extra":{"ip":"198.51.100.4","action_date":"Today","location":"Graz","device":"Firefox"}}"#,
                [
                    .text(BankText("Sign in to Fern Online")),
                    .extra(
                        lines(
                            ("action_date", "Today"), ("device", "Firefox"), ("location", "Graz"),
                            ("ip", "198.51.100.4"))),
                ]
            ),
            (
                #"{"payment":{"exchange_rate":"1","fee":"0.00","payee":"Fern Books","amount":"9.90 EUR","account":"AT00 1234","reference":"R-5","payment_date":"yyyy","description":"d"}}"#,
                [
                    .payment(
                        lines(
                            ("payee", "Fern Books"), ("amount", "9.90 EUR"), ("account", "AT00 1234"),
                            ("payment_date", "yyyy"), ("reference", "R-5"), ("fee", "0.00"), ("exchange_rate", "1"),
                            ("description", "d")))
                ]
            ),
            (
                #"{"extra":{"device":"x"},"html":"<p>1 &lt; 2</p>"}"#,
                [.html(BankText("<p>1 &lt; 2</p>")), .extra(lines(("device", "x")))]
            ),
            (#"{"text":"b","payment":{"payee":"a"}}"#, [.payment(lines(("payee", "a"))), .text(BankText("b"))]),
            // A value that is not a string is shown as it is written, digit by digit.
            (
                #"{ "payment" : { "amount" : 41.20 , "fee":null,"payee":true, "reference":{"a":[1, 2.50]},"account":"" } }"#,
                [.payment(lines(("payee", "true"), ("amount", "41.20"), ("reference", #"{"a":[1, 2.50]}"#)))]
            ),
            (#"{"text":["a","b,}"],"extra":"odd"}"#, [.text(BankText(#"["a","b,}"]"#)), .text(BankText("odd"))]),
            (#"{"text":"\u0041\"\\,{\n\ud83d\ude00"}"#, [.text(BankText("A\"\\,{\n😀"))]),
            (#"{"te\u0078t":"x"}"#, [.text(BankText("x"))]),
            ("{}", []), (#"{"text":"","html":null,"payment":{},"extra":{"device":""}}"#, []),
            // Members that the protocol does not define are kept, so that they can be shown.
            (
                #"{"unknown":"x","text":"t","extra":{"iban":"AT00","n":[1, {}]},"9000 EUR":null}"#,
                [
                    .text(BankText("t")),
                    .unknown([member("iban", "AT00"), member("n", "[1, {}]")]),
                    .unknown([member("unknown", "x"), member("9000 EUR", "null")]),
                ]
            ),
            (
                #"{"payment":{"description":"inner"},"description":"outer"}"#,
                [.payment(lines(("description", "inner"))), .unknown([member("description", "outer")])]
            ),
        ] as [(String, [AuthorizationContent.Part])])
    func descriptions(_ description: String, _ expected: [AuthorizationContent.Part]) async throws {
        let item = try item("88", "pending", payload(description))
        try await asking({ _ in .text("{\"data\":\(item)}") }) { service, _ in
            let opened = try await service.authorization(try #require(BankID("88")))
            #expect(opened.content.parts == expected)
        }
    }

    private static func member(_ name: String, _ value: String) -> UnknownMember {
        UnknownMember(name: BankText(name), value: BankText(value))
    }

    @Test(
        "A name that stands twice opens nothing: only one of the two could be shown",
        arguments: [
            #"{"text":"9.90","text":"9000"}"#, #"{"te\u0078t":"9.90","text":"9000"}"#,
            #"{"payment":{"amount":"9.90","amount":"9000"}}"#, #"{"extra":{"x":1,"x":2}}"#, #"{"x":1,"x":2}"#,
        ])
    func doubledNames(_ description: String) async throws {
        let item = try item("88", "pending", payload(description))
        try await asking({ _ in .text("{\"data\":\(item)}") }) { service, _ in
            let id = try #require(BankID("88"))
            #expect(await code { try await service.authorization(id) } == .malformedAnswer)
        }
    }

    private static func lines(_ lines: (String, String)...) -> [LabelledText] {
        lines.map { LabelledText(key: $0, value: BankText($1)) }
    }

    // MARK: Requests

    /// Each signed call: the body as it is sent, and the signature over exactly those bytes.
    @Test func whatIsSignedIsWhatLeaves() async throws {
        let provider = try Fixture.key(Self.provider)
        try await asking({ request in
            .text(
                request.target.contains("/confirm")
                    ? #"{"data":{"id":88,"status":"confirm_processing"}}"# : #"{"data":{"status":"deny_processing"}}"#)
        }) { service, bank in
            let position = try #require(Geolocation("48.137154,11.576124"))
            for (verdict, position, code) in [(Verdict.approve, position, "9f\"ü"), (.deny, nil, nil)]
                as [(Verdict, Geolocation?, String?)]
            {
                let signed = try service.sign(
                    Reply(verdict, at: position), on: try authorization(code: code), clockCorrection: 0)
                let answer = try await service.send(RecordedDecision(decision: signed, sequence: 1))
                #expect(answer.outcome == .processing)
                let request = try #require(bank.requests.last)
                #expect(request.header("x-jws-signature") == signed.signature)
                #expect(signed.signedBytes == Array(("eyJhbGciOiJSUzI1NiJ9." + Base64.encodeURL(request.body)).utf8))
                let body = try JSONDecoder().decode(SealedBody.self, from: Data(request.body))
                let payload = try body.data.envelope.open(with: provider).withBytes {
                    String(decoding: $0, as: UTF8.self)
                }
                #expect(
                    payload
                        == (verdict == .approve
                            ? #"{"authorization_code":"9f\"\u00fc","user_authorization_type":"passcode","geolocation":"GEO:48.137154;11.576124"}"#
                            : #"{"authorization_code":"","user_authorization_type":"passcode","geolocation":""}"#))
            }
            try await service.revokeConnection()
            try await service.update(pushToken: "new")
            try await service.revokeConsent(try #require(BankID("3/1")))
            _ = try await service.claim(
                ActionLink(SaltEdgeAction(target: .id(BankText("4711"), provider: BankText("9")), returnTo: nil)))

            let p = "/api/authenticator/v2"
            #expect(
                bank.requests.map { "\($0.method) \($0.target)" } == [
                    "PUT \(p)/authorizations/88/confirm", "PUT \(p)/authorizations/88/deny",
                    "PUT \(p)/connections/12/revoke",
                    "PATCH \(p)/connections/12/update", "PUT \(p)/consents/3%2F1/revoke", "POST \(p)/authorizations",
                ])
            #expect(
                bank.requests.dropFirst(2).map(\.text) == [
                    #"{"data":{},"exp":1893456300}"#, #"{"data":{"push_token":"new"},"exp":1893456300}"#,
                    #"{"data":{},"exp":1893456300}"#,
                    #"{"data":{"provider_id":"9","connection_id":"12","action_id":"4711"},"exp":1893456300}"#,
                ])
            let publicKey = try RSAPublicKey(pem: try Fixture.key().publicKeyPEM)
            for request in bank.requests {
                #expect(request.header("Access-Token") == "tok-1")
                #expect(request.text.hasSuffix(#","exp":1893456300}"#))
                let value = try #require(request.header("x-jws-signature")).split(
                    separator: ".", omittingEmptySubsequences: false)
                #expect(value.count == 3 && value[0] == "eyJhbGciOiJSUzI1NiJ9" && value[1].isEmpty)
                let signature = try #require(Base64.decodeLenient(String(value[2])))
                let input = Array("\(value[0]).\(Base64.encodeURL(request.body))".utf8)
                #expect(publicKey.verify(signature, of: input))
                #expect(
                    !publicKey.verify(
                        signature, of: Array("\(value[0]).\(Base64.encodeURL(request.body + [0x20]))".utf8)))
                for name in ["Signature", "Expires-at", "Authorization-Type", "GEO-Location"] {
                    #expect(request.header(name) == nil)
                }
            }
        }
    }

    private struct SealedBody: Decodable {
        struct Parts: Decodable {
            var key: String
            var iv: String
            var data: String
            var envelope: Envelope { Envelope(algorithm: nil, key: key, iv: iv, data: data) }
        }
        var data: Parts
    }

    // MARK: Answers

    @Test(arguments: [
        ("confirmed", Outcome.confirmed, Outcome?.none), ("denied", .refused, .denied),
        ("confirm_processing", .processing, .processing), ("deny_processing", .processing, .processing),
        ("pending", .processing, .processing), ("processing", .processing, .processing),
        ("CONFIRMED", .processing, .processing),
        ("error", .refused, .refused), ("time_out", .expired, .expired), ("unavailable", .expired, .expired),
        ("closed", .expired, .expired),
    ])
    func aFinalStatusThatIsNotTheWantedOneIsNoSuccess(_ word: String, _ approved: Outcome, _ denied: Outcome?)
        async throws
    {
        try await asking({ _ in .text(#"{"data":{"id":"88","status":"\#(word)"}}"#) }) { service, _ in
            for (verdict, expected) in [(Verdict.approve, approved as Outcome?), (.deny, denied)] {
                let signed = try service.sign(Reply(verdict), on: try authorization(), clockCorrection: 0)
                let recorded = RecordedDecision(decision: signed, sequence: 1)
                if let expected {
                    #expect(try await service.send(recorded).outcome == expected)
                } else {
                    // The bank confirmed what was denied.
                    await #expect {
                        try await service.send(recorded)
                    } throws: {
                        ($0 as? BankError)?.kind == .denialOverturned
                    }
                }
            }
        }
    }

    @Test(arguments: [
        (#"{"data":{"id":88}}"#, 200, BankError.Kind.malformedAnswer),
        (#"{"data":{"id":89,"status":"confirmed"}}"#, 200, .malformedAnswer),
        ("", 200, .malformedAnswer), (#"{"error_class":"JWTExpiredSignature"}"#, 400, .signatureExpired),
        (#"{"error_class":"AuthorizationNotFound"}"#, 404, .authorizationGone), ("", 401, .refused),
    ])
    func faultyAnswersToADecision(_ body: String, _ status: Int, _ expected: BankError.Kind) async throws {
        try await asking({ _ in .text(body, status: status, headers: [("Date", "Tue, 01 Jan 2030 01:00:00 GMT")]) }) {
            service, bank in
            let signed = try service.sign(Reply(.approve), on: try authorization(), clockCorrection: 0)
            #expect(await code { try await service.send(RecordedDecision(decision: signed, sequence: 1)) } == expected)
            #expect(bank.requests.count == 1)
        }
    }

    @Test(arguments: ["SignatureExpired", "JWTExpiredSignature"])
    func anExpiredSignatureIsMadeAgainOnce(_ errorClass: String) async throws {
        try await asking({ request in
            request.text.hasSuffix(#""exp":1893456600}"#)
                ? .text(#"{"data":{"connection_id":12}}"#)
                : .text(
                    #"{"error_class":"\#(errorClass)"}"#, status: 400,
                    headers: [("Date", "Tue, 01 Jan 2030 00:05:00 GMT")])
        }) { service, bank in
            try await service.revokeConnection()
            #expect(bank.requests.count == 2)
        }
    }

    @Test func withoutAProviderKeyNothingIsSent() async throws {
        try await Fixture.asking({ _ in .text("{}") }, wire: .saltEdgeV2) { service, bank in
            #expect {
                try service.sign(Reply(.approve), on: try authorization(), clockCorrection: 0)
            } throws: { ($0 as? BankError)?.kind == .cryptography }
            #expect(bank.requests.isEmpty)
        }
    }

    @Test(
        arguments: [
            (#"{"data":{"connection_id":12,"authorization_id":88}}"#, "88", nil),
            (#"{"data":{"connection_id":"12","authorization_id":"88"}}"#, "88", nil), (#"{"data":{}}"#, nil, nil),
            (#"{"data":{"connection_id":13,"authorization_id":88}}"#, nil, .refused),
            (#"{"error_class":"ActionClosed"}"#, nil, .actionRefused),
        ] as [(String, String?, BankError.Kind?)])
    func answersToAnAction(_ body: String, _ authorization: String?, _ expected: BankError.Kind?) async throws {
        try await asking({ _ in .text(body) }) { service, bank in
            let link = ActionLink(SaltEdgeAction(target: .id(BankText("4711"), provider: BankText("9")), returnTo: nil))
            var answer: ActionAnswer?
            #expect(await code { answer = try await service.claim(link) } == expected)
            #expect(
                answer
                    == (expected == nil
                        ? ActionAnswer(success: true, authorization: authorization.flatMap(BankID.init)) : nil))
            let other = ActionLink(
                SaltEdgeAction(target: .id(BankText("4711"), provider: BankText("10")), returnTo: nil))
            #expect(await code { try await service.claim(other) } == .actionRefused)
            #expect(bank.requests.count == 1)
        }
    }

    @Test func theOuterIDOfAConsentCounts() async throws {
        let consent =
            #"{"id":"inner","consent_type":"aisp","tpp_name":"Acme","accounts":[],"created_at":"2030-01-01T00:00:00Z","expires_at":"2030-06-01T00:00:00Z"}"#
        let items = [
            try Fixture.item("31", consent, connection: "12", key: try Fixture.key(), algorithm: nil),
            try Fixture.item(#""32""#, consent, connection: "13", key: try Fixture.key(), algorithm: nil),
        ]
        try await asking({ _ in .text("{\"data\":[\(items.joined(separator: ","))]}") }) { service, _ in
            let list = try await service.consents()
            #expect(list.consents.map(\.id.text) == ["31"] && list.faults.map(\.id?.text) == ["32"])
        }
    }

    @Test(
        arguments: [
            ("valid", "12", "connection-2048.pem", nil), ("valid", #""12""#, "connection-2048.pem", nil),
            ("valid", "12", "foreign-2048.pem", .refused), ("valid", "12", nil, .refused),
            ("authentication_pending", "12", "connection-2048.pem", .connectionGone),
            ("revoked", "12", nil, .connectionGone),
            ("authentication_fail", "12", nil, .connectionGone),
            ("new_word", "12", "connection-2048.pem", .connectionGone),
            ("valid", "13", "connection-2048.pem", .malformedAnswer),
        ] as [(String, String, String?, BankError.Kind?)])
    func whetherTheConnectionIsGood(_ status: String, _ id: String, _ key: String?, _ expected: BankError.Kind?)
        async throws
    {
        let pem = try key.map { try Fixture.key($0).publicKeyPEM.replacing("\n", with: "\\r\\n") }
        let answer =
            #"{"data":{"id":\#(id),"status":"\#(status)","public_key":\#(pem.map { "\"\($0)\"" } ?? "null"),"push_token":null}}"#
        try await asking({ _ in .text(answer) }) { service, bank in
            #expect(await code { try await service.prove() } == expected)
            #expect(bank.requests.map(\.target) == ["/api/authenticator/v2/connections/12"])
        }
    }
}
