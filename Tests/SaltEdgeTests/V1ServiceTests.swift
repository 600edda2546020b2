import Basics
import FoundationEssentials
import ApprovalModel
import Cryptography
import Testing
@testable import SaltEdge

@Suite struct V1ServiceTests {
    // MARK: Lists

    @Test func oneBadItemNeverHidesTheGoodOnes() async throws {
        let key = try Fixture.key()
        let foreign = try Fixture.key("foreign-2048.pem")
        let items = [
            try Fixture.item(
                "78", Fixture.payload("78", ["created_at": nil, "description": #""<p>Hi</p>""#]), key: key),
            try Fixture.item(#""77""#, Fixture.payload("77"), key: key),
            try Fixture.item(#""1""#, Fixture.payload("1"), key: key, algorithm: "AES-128-CBC"),
            try Fixture.item(#""2""#, Fixture.payload("2"), connection: #""13""#, key: key),
            try Fixture.item(#""3""#, Fixture.payload("3", ["connection_id": #""13""#]), key: key),
            try Fixture.item(#""4""#, Fixture.payload("5"), key: key),
            try Fixture.item(#""5""#, Fixture.payload("5", ["title": nil]), key: key),
            try Fixture.item(#""6""#, Fixture.payload("6", ["expires_at": #""soon""#]), key: key),
            try Fixture.item(#""7""#, Fixture.payload("7", ["created_at": #""2030-02-30T00:00:00Z""#]), key: key),
            try Fixture.item(#""8""#, "not JSON", key: key),
            try Fixture.item(#""9""#, Fixture.payload("9"), key: foreign),
            try Fixture.item(
                #""10""#, Fixture.payload("10", ["title": "\"\(String(repeating: "x", count: 1 << 18))\""]), key: key),
            #"{"id":"11","connection_id":"12","key":"","iv":"","data":""}"#, #"{"id":"12","connection_id":"12"}"#,
            #"{"key":"x"}"#, "7", "null", #"{"id":77,"connection_id":"12","key":"x","iv":"x","data":"x"}"#,
            try Fixture.item(
                #""20""#, Fixture.payload("20", ["foreign": "[1,{}]"]), connection: "12", key: key, algorithm: nil),
        ]
        try await Fixture.asking({ _ in .text("{\"data\":[\(items.joined(separator: ","))],\"meta\":1}") }) {
            service, _ in
            let list = try await service.authorizations()
            #expect(list.authorizations.map(\.id.text) == ["78", "20", "77"])
            let bad = Set((1...12).map(String.init))
            #expect(Set(list.listed.map(\.text)) == bad.union(["20", "77", "78"]))
            #expect(list.faults.count == 16)
            #expect(Set(list.faults.compactMap(\.id?.text)) == bad.union(["77"]))
            let first = try #require(list.authorizations.first)
            #expect(first.content.parts == [.textOrPage(BankText("<p>Hi</p>"))])
            #expect(first.createdAt == nil)
            let last = try #require(list.authorizations.last)
            #expect(last.title == BankText("Pay 9.90 EUR") && last.code == BankText("c0de") && last.status == .pending)
            #expect(last.content.parts == [.textOrPage(BankText("To Fern Books"))])
            #expect(last.expiresAt == Date(timeIntervalSince1970: 1_893_456_300))
            #expect(last.connection == Fixture.guid)
        }
    }

    /// A list that is too long is refused as a whole. If only a part of it were left out, missing items would look as
    /// if they had been decided.
    @Test(arguments: [(10_000, nil), (10_001, BankError.Kind.malformedAnswer)])
    func aFloodOfItemsIsRefused(_ count: Int, _ expected: BankError.Kind?) async throws {
        let items = (1...count).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        try await Fixture.asking({ _ in .text("{\"data\":[\(items)]}") }) { service, _ in
            do {
                let list = try await service.authorizations()
                #expect(expected == nil && list.faults.count == count)
            } catch let error as BankError {
                #expect(error.kind == expected)
            }
        }
    }

    @Test func theFingerprintIsOverThePlaintext() async throws {
        let plaintext = Fixture.payload("77")
        let item = try Fixture.item(#""77""#, plaintext, key: try Fixture.key())
        try await Fixture.asking({ _ in .text("{\"data\":\(item)}") }) { service, _ in
            let id = try #require(BankID("77"))
            let expected = try Array(plaintext.utf8).withUnsafeBytes {
                try Fingerprint(connection: Fixture.guid.text, id: id.text, plaintext: $0)
            }
            #expect(try await service.authorization(id).fingerprint == expected)
        }
    }

    @Test(arguments: ["[]", "[ ]"]) func anEmptyListIsAList(_ list: String) async throws {
        let reply = ScriptedBank.Reply.text(
            "{\"data\":\(list)}", headers: [("Content-Type", "text/html"), ("Date", "Tue, 01 Jan 2030 00:00:05 GMT")])
        try await Fixture.asking({ _ in reply }) { service, _ in
            let list = try await service.authorizations()
            #expect(list.authorizations.isEmpty && list.faults.isEmpty && list.listed.isEmpty)
            #expect(list.bankTime == Date(timeIntervalSince1970: 1_893_456_005))
            try await service.prove()
        }
    }

    @Test func anotherItemThanTheOneAskedForIsNoAnswer() async throws {
        let item = try Fixture.item(#""78""#, Fixture.payload("78"), key: try Fixture.key())
        try await Fixture.asking({ _ in .text("{\"data\":\(item)}") }) { service, bank in
            let id = try #require(BankID("7/7 é"))
            #expect(await code { try await service.authorization(id) } == .malformedAnswer)
            #expect(bank.requests.map(\.target) == ["/api/authenticator/v1/authorizations/7%2F7%20%C3%A9"])
        }
    }

    // MARK: Requests

    /// Each signed call: method, path and body as they are sent, and the signature over exactly those bytes.
    @Test func whatIsSignedIsWhatLeaves() async throws {
        let code = "a\"\\/ü😀\u{7f}"
        let authorization = Authorization(
            connection: Fixture.guid, id: try #require(BankID("77")), status: .pending, title: BankText("t"),
            content: AuthorizationContent(parts: []), source: BankText("{}"), code: BankText(code), createdAt: nil,
            expiresAt: Fixture.now,
            fingerprint: try #require(Fingerprint(bytes: [UInt8](repeating: 0, count: 32))))
        try await Fixture.overTransport { transport in
            try await ScriptedBank.serve({ _ in .text(#"{"data":{"success":true}}"#) }) { bank in
                let base = try WebAddress(bank.base.text + "/gw//")
                let service = try Fixture.service(.saltEdgeV1, base, transport)
                _ = try? await service.authorizations()
                _ = try? await service.authorization(authorization.id)
                let position = try #require(Geolocation("48.137154,11.576124"))
                for (verdict, position) in [(Verdict.approve, position), (.deny, nil as Geolocation?)] {
                    let signed = try service.sign(Reply(verdict, at: position), on: authorization, clockCorrection: 0)
                    _ = try await service.send(RecordedDecision(decision: signed, sequence: 1))
                    let request = try #require(bank.requests.last)
                    #expect(request.header("Signature") == signed.signature)
                    #expect(signed.signedBytes.suffix(request.body.count) == request.body[...])
                }
                _ = try? await service.consents()
                try await service.revokeConsent(try #require(BankID("31")))
                _ = try await service.claim(
                    ActionLink(
                        SaltEdgeAction(
                            target: .uuid(BankText("a b"), bank: try WebAddress(base.text + "/")), returnTo: nil)))
                try await service.revokeConnection()

                let p = "/gw/api/authenticator/v1"
                #expect(
                    bank.requests.map { "\($0.method) \($0.target)" } == [
                        "GET \(p)/authorizations", "GET \(p)/authorizations/77", "PUT \(p)/authorizations/77",
                        "PUT \(p)/authorizations/77", "GET \(p)/consents", "DELETE \(p)/consents/31",
                        "PUT \(p)/actions/a%20b", "DELETE \(p)/connections",
                    ])
                #expect(
                    bank.requests.map(\.text) == [
                        "", "",
                        #"{"data":{"confirm":true,"authorization_code":"a\"\\/\u00fc\ud83d\ude00\u007f"}}"#,
                        #"{"data":{"confirm":false,"authorization_code":"a\"\\/\u00fc\ud83d\ude00\u007f"}}"#,
                        "", "", "", "",
                    ])
                #expect(
                    bank.requests.map { $0.header("GEO-Location") } == [
                        nil, nil, "GEO:48.137154;11.576124", nil, nil, nil, nil, nil,
                    ])
                #expect(
                    bank.requests.map { $0.header("Authorization-Type") } == [
                        nil, nil, "passcode", "passcode", nil, nil, "passcode", nil,
                    ])

                let publicKey = try RSAPublicKey(pem: try Fixture.key().publicKeyPEM)
                for request in bank.requests {
                    #expect(request.header("Access-Token") == "tok-1")
                    #expect(request.header("Expires-at") == "1893456300")
                    #expect(request.header("Accept") == "application/json")
                    #expect(request.header("Accept-Language") == "en")
                    #expect(request.header("Content-Type") == "application/json")
                    #expect(request.header("User-Agent")?.hasPrefix("Countersign/") == true)
                    let host = try #require(request.header("Host"))
                    let signed =
                        "\(request.method.lowercased())|http://\(host)\(request.target)|1893456300|\(request.text)"
                    let signature = try #require(request.header("Signature").flatMap(Base64.decode))
                    #expect(publicKey.verify(signature, of: Array(signed.utf8)))
                    #expect(!publicKey.verify(signature, of: Array((signed + " ").utf8)))
                }
            }
        }
    }

    @Test func withoutACodeNoneIsSent() async throws {
        let item = try Fixture.item(
            #""77""#, Fixture.payload("77", ["authorization_code": nil]), key: try Fixture.key())
        try await Fixture.asking({ _ in .text("{\"data\":\(item)}") }) { service, _ in
            let authorization = try await service.authorization(try #require(BankID("77")))
            let signed = try service.sign(Reply(.deny), on: authorization, clockCorrection: 0)
            #expect(String(decoding: signed.request.body, as: UTF8.self) == #"{"data":{"confirm":false}}"#)
        }
    }

    // MARK: Clock

    @Test func anExpiredSignatureIsMadeAgainByTheBanksClock() async throws {
        let script: ScriptedBank.Script = { request in
            request.header("Expires-at") == "1893456600"
                ? .text(#"{"data":[]}"#)
                : .text(
                    #"{"error_class":"SignatureExpired","error_message":"x"}"#, status: 400,
                    headers: [("Date", "Tue, 01 Jan 2030 00:05:00 GMT")])
        }
        try await Fixture.overTransport { transport in
            try await ScriptedBank.serve(script) { bank in
                let banks = Fixture.banks(transport)
                let connection = try Fixture.connection(.saltEdgeV1, bank.base)
                let token = try Fixture.secret("t")
                let key = try Fixture.key()
                _ = try await banks.service(for: connection, token: token, key: key).authorizations()
                #expect(bank.requests.count == 2)
                // Remembered, also by the next service for this bank.
                let next = try banks.service(for: connection, token: token, key: key)
                _ = try await next.authorizations()
                #expect(bank.requests.count == 3)
                let later = try authorization(expiresIn: 900)
                let signed = try next.sign(Reply(.deny), on: later, clockCorrection: 0)
                #expect(signed.request.headers.contains { $0 == ("Expires-at", "1893456600") })
                let corrected = try next.sign(Reply(.deny), on: later, clockCorrection: -60)
                #expect(corrected.request.headers.contains { $0 == ("Expires-at", "1893456240") })
            }
        }
    }

    @Test(
        arguments: [[], [("Date", "yesterday")], [("Date", "Tue, 01 Jan 2030 00:10:00 GMT")]] as [[(String, String)]])
    func anExpiredSignatureIsRetriedOnceAtMost(_ headers: [(String, String)]) async throws {
        let reply = ScriptedBank.Reply.text(#"{"error_class":"SignatureExpired"}"#, status: 400, headers: headers)
        try await Fixture.asking({ _ in reply }) { service, bank in
            #expect(await code { try await service.authorizations() } == .signatureExpired)
            let mayRetry = headers.first?.1.hasPrefix("Tue") == true
            #expect(bank.requests.count == (mayRetry ? 2 : 1))
        }
    }

    /// A bank may move our clock by ten minutes, and no further: what is signed must not stay valid for years.
    @Test(
        arguments: [
            ("Tue, 01 Jan 2030 00:10:00 GMT", 600), ("Mon, 31 Dec 2029 23:50:00 GMT", -600),
            ("Tue, 01 Jan 2030 00:10:01 GMT", nil), ("Mon, 31 Dec 2029 23:49:59 GMT", nil),
            ("Wed, 01 Jan 2200 00:00:00 GMT", nil), ("Thu, 01 Jan 1970 00:00:00 GMT", nil),
        ] as [(String, Int?)])
    func theBanksClockIsFollowedForTenMinutes(_ date: String, _ offset: Int?) async throws {
        let script: ScriptedBank.Script = { request in
            request.header("Expires-at") == "1893456300"
                ? .text(#"{"error_class":"SignatureExpired"}"#, status: 400, headers: [("Date", date)])
                : .text(#"{"data":[]}"#)
        }
        try await Fixture.asking(script) { service, bank in
            let code = await code { try await service.authorizations() }
            #expect(code == (offset == nil ? .clocksDiffer : nil))
            #expect(bank.requests.count == (offset == nil ? 1 : 2))
            // The next decision does not use it either.
            let signed = try service.sign(Reply(.approve), on: try authorization(expiresIn: 3600), clockCorrection: 0)
            let expiry = String(1_893_456_300 + (offset ?? 0))
            #expect(signed.request.headers.contains { $0 == ("Expires-at", expiry) })
        }
    }

    /// No decision is signed for longer than its authorization is valid.
    @Test(arguments: [(60.0, 0, 60), (60, 30, 60), (400, 0, 300), (400, 90, 390), (400, 600, 900), (0, 0, 300)])
    func aSignatureEndsWithItsAuthorization(_ expiresIn: Double, _ correction: Int, _ end: Int) async throws {
        try await Fixture.asking({ _ in .text("{}") }) { service, _ in
            let authorization = try authorization(expiresIn: expiresIn)
            let signed = try service.sign(Reply(.approve), on: authorization, clockCorrection: correction)
            #expect(signed.request.headers.contains { $0 == ("Expires-at", String(1_893_456_000 + end)) })
        }
    }

    @Test func aDecisionIsNeverSentTwice() async throws {
        let reply = ScriptedBank.Reply.text(
            #"{"error_class":"SignatureExpired"}"#, status: 400, headers: [("Date", "Tue, 01 Jan 2030 01:00:00 GMT")])
        try await Fixture.asking({ _ in reply }) { service, bank in
            let signed = try service.sign(Reply(.approve), on: try authorization(), clockCorrection: 0)
            #expect(
                await code { try await service.send(RecordedDecision(decision: signed, sequence: 1)) }
                    == .signatureExpired)
            #expect(bank.requests.count == 1)
        }
    }

    // MARK: Answers to changes

    @Test(
        arguments: [
            (#"{"data":{"success":true,"id":"77"}}"#, 200, nil),
            (#"{"data":{"success":false,"id":"77"}}"#, 200, .refused),
            (#"{"data":{"id":"77"}}"#, 200, .malformedAnswer), ("", 200, .malformedAnswer),
            ("<html>", 200, .malformedAnswer),
            (#"{"error_class":"AuthorizationNotFound"}"#, 404, .authorizationGone), ("", 400, .refused),
            ("<html>", 502, .refused),
            (#"{"error_class":"ConnectionNotFound"}"#, 401, .connectionGone), ("", 302, .refused),
        ] as [(String, Int, BankError.Kind?)])
    func answersToADecision(_ body: String, _ status: Int, _ expected: BankError.Kind?) async throws {
        try await Fixture.asking({ _ in .text(body, status: status, headers: [("Location", "/x")]) }) { service, bank in
            for verdict in [Verdict.approve, .deny] {
                let signed = try service.sign(Reply(verdict), on: try authorization(), clockCorrection: 0)
                do {
                    let answer = try await service.send(RecordedDecision(decision: signed, sequence: 1))
                    #expect(expected == nil)
                    #expect(answer.outcome == (verdict == .approve ? .confirmed : .denied))
                } catch let error as BankError {
                    #expect(error.kind == expected)
                    #expect(error.status == status)
                }
            }
            #expect(bank.requests.count == 2)
        }
    }

    @Test(
        arguments: [
            (#"{"data":{"success":true,"connection_id":"12","authorization_id":"88"}}"#, "88", nil),
            (#"{"data":{"success":true,"connection_id":12,"authorization_id":88}}"#, "88", nil),
            (#"{"data":{"success":true}}"#, nil, nil),
            (#"{"data":{"success":true,"connection_id":null,"authorization_id":null}}"#, nil, nil),
            (#"{"data":{"success":false,"connection_id":null,"authorization_id":null}}"#, nil, .actionRefused),
            (#"{"data":{"success":true,"connection_id":"13","authorization_id":"88"}}"#, nil, .refused),
            (#"{"error_class":"ActionNotValid"}"#, nil, .actionRefused), (#"{"data":{}}"#, nil, .malformedAnswer),
        ] as [(String, String?, BankError.Kind?)])
    func answersToAnAction(_ body: String, _ authorization: String?, _ expected: BankError.Kind?) async throws {
        try await Fixture.asking({ _ in .text(body) }) { service, bank in
            let link = ActionLink(SaltEdgeAction(target: .uuid(BankText("u-1"), bank: bank.base), returnTo: nil))
            var answer: ActionAnswer?
            #expect(await code { answer = try await service.claim(link) } == expected)
            #expect(
                answer
                    == (expected == nil
                        ? ActionAnswer(success: true, authorization: authorization.flatMap(BankID.init)) : nil))
        }
    }

    @Test func anActionOfAnotherBankIsNotSent() async throws {
        try await Fixture.asking({ _ in .text("{}") }) { service, bank in
            for target in [
                SaltEdgeAction.Target.uuid(BankText("u"), bank: try WebAddress("https://other.example")),
                .id(BankText("1"), provider: BankText("9")),
            ] {
                #expect(
                    await code { try await service.claim(ActionLink(SaltEdgeAction(target: target, returnTo: nil))) }
                        == .actionRefused)
            }
            #expect(bank.requests.isEmpty)
        }
    }

    @Test(
        arguments: [
            (#"{"data":{"success":true,"consent_id":"31"}}"#, 200, nil),
            (#"{"data":{"success":false,"consent_id":"31"}}"#, 200, .consentGone),
            ("", 404, .refused), (#"{"error_class":"ConsentNotFound"}"#, 404, .consentGone),
        ] as [(String, Int, BankError.Kind?)])
    func answersToARevokedConsent(_ body: String, _ status: Int, _ expected: BankError.Kind?) async throws {
        try await Fixture.asking({ _ in .text(body, status: status) }) { service, _ in
            #expect(await code { try await service.revokeConsent(try #require(BankID("31"))) } == expected)
        }
    }

    @Test(
        arguments: [
            (#"{"data":{"success":true,"access_token":"tok-1"}}"#, 200, nil),
            (#"{"data":{"success":false}}"#, 200, .refused),
            (#"{"error_class":"UserNotFound"}"#, 404, .connectionGone),
            (#"{"error_class":"ConnectionRevoked"}"#, 401, .connectionGone),
            ("", 200, .malformedAnswer), ("", 401, .refused),
        ] as [(String, Int, BankError.Kind?)])
    func answersToARevokedConnection(_ body: String, _ status: Int, _ expected: BankError.Kind?) async throws {
        try await Fixture.asking({ _ in .text(body, status: status) }) { service, _ in
            #expect(await code { try await service.revokeConnection() } == expected)
        }
    }

    // MARK: Consents

    @Test func consentsOfEveryForm() async throws {
        let key = try Fixture.key()
        func consent(_ change: String) -> String {
            #"{"id":"inner","user_id":"u","consent_type":"aisp","tpp_name":"Acme","accounts":[{"name":"Main","iban":"AT00"},{"name":"B","account_number":"1","sort_code":null}],"created_at":"2030-01-01T00:00:00Z","expires_at":"2030-06-01T00:00:00Z"\#(change)}"#
        }
        let items = [
            try Fixture.item(#""31""#, consent(#","shared_data":{"balance":true,"transactions":false}"#), key: key),
            try Fixture.item("32", consent(#","shared_data":{"balance":"yes"}"#), key: key),
            try Fixture.item("33", consent(""), connection: #""13""#, key: key),
            try Fixture.item("34", #"{"consent_type":"aisp"}"#, key: key),
        ]
        try await Fixture.asking({ _ in .text("{\"data\":[\(items.joined(separator: ","))]}") }) { service, _ in
            let list = try await service.consents()
            #expect(list.consents.map(\.id.text) == ["31", "32"])
            #expect(Set(list.faults.compactMap(\.id?.text)) == ["33", "34"])
            let first = try #require(list.consents.first)
            #expect(first.shared == Consent.SharedData(balance: true, transactions: false))
            #expect(list.consents.last?.shared == nil)
            #expect(first.type == BankText("aisp") && first.thirdParty == BankText("Acme"))
            #expect(first.accounts.map(\.name.untrusted) == ["Main", "B"])
            #expect(first.accounts.map { $0.iban?.untrusted } == ["AT00", nil])
            #expect(first.expiresAt == Date(timeIntervalSince1970: 1_906_502_400))
        }
    }

    private func authorization(expiresIn: Double = 0) throws -> Authorization {
        Authorization(
            connection: Fixture.guid, id: try #require(BankID("77")), status: .pending, title: BankText("t"),
            content: AuthorizationContent(parts: []), source: BankText("{}"), code: BankText("c0de"), createdAt: nil,
            expiresAt: Fixture.now.addingTimeInterval(expiresIn),
            fingerprint: try #require(Fingerprint(bytes: [UInt8](repeating: 0, count: 32))))
    }
}
