import Basics
import FoundationEssentials
import ApprovalModel
import Testing
@testable import SaltEdge

/// The client of v1 against the demo bank, which verifies every signature by itself.
@Suite struct RehearsalV1Tests {
    @Test(arguments: ["", #","instant_style":"redirect""#]) func enrollment(_ options: String) async throws {
        try await RehearsalBank.run { bank in
            let enrolled = try await bank.enroll(options)
            #expect(enrolled.connection.wireProtocol == .saltEdgeV1)
            try await bank.service(enrolled).prove()
            // With another key or another token the proof fails.
            let strange = try bank.banks.service(
                for: enrolled.connection, token: enrolled.token, key: try Fixture.key("foreign-2048.pem"))
            let error = await #expect(throws: BankError.self) { try await strange.prove() }
            #expect(error?.errorClass == BankText("InvalidSignature") && error?.kind == .refused)
            let forged = try bank.banks.service(
                for: enrolled.connection, token: try Fixture.secret("forged"), key: enrolled.key)
            #expect(await code { try await forged.prove() } == .connectionGone)
        }
    }

    @Test(arguments: ["J", "R"], ["single", "wrapped"]) func decisions(_ style: String, _ base64: String) async throws {
        try await RehearsalBank.run { bank in
            try await bank.admin("POST", "settings", #"{"style":"\#(style)","base64":"\#(base64)"}"#)
            let enrolled = try await bank.enroll()
            let service = try bank.service(enrolled)
            for title in ["First", "Zweite Überweisung"] {
                try await bank.admin(
                    "POST", "authorizations",
                    #"{"user":"ada","title":"\#(title)","description":"<p>To Fern Books</p>","code":"c\"ö\\/de"}"#)
            }
            let list = try await service.authorizations()
            #expect(list.authorizations.map(\.title.untrusted) == ["First", "Zweite Überweisung"])
            #expect(list.faults.isEmpty && list.bankTime != nil)
            let first = try #require(list.authorizations.first)
            let second = try #require(list.authorizations.last)
            #expect(
                first.content.parts == [.textOrPage(BankText("<p>To Fern Books</p>"))]
                    && first.code == BankText("c\"ö\\/de"))
            #expect(try await service.authorization(first.id) == first)

            let position = try #require(Geolocation("48.137154,11.576124"))
            #expect(
                try await bank.decide(.approve, first, service, at: position) == .confirmed)
            #expect(try await bank.decide(.deny, second, service) == .denied)
            #expect(await code { try await bank.decide(.deny, first, service) } == .authorizationGone)
            #expect(await code { try await service.authorization(first.id) } == .authorizationGone)
            #expect(try await service.authorizations().listed.isEmpty)
            let said = try await bank.admin("GET", "authorizations")
            #expect(Set(said.items.compactMap { $0["status"].text }) == ["confirmed", "denied"])
            #expect(said.items.compactMap { $0["authorization_type"].text } == ["passcode", "passcode"])
            #expect(said.items.contains { $0["geolocation"].text == "GEO:48.137154;11.576124" })
        }
    }

    @Test func aWrongCodeIsARefusal() async throws {
        try await RehearsalBank.run { bank in
            let service = try bank.service(try await bank.enroll())
            let made = try await bank.admin(
                "POST", "authorizations", #"{"user":"ada","title":"t","description":"d","code":"old"}"#)
            let shown = try #require(try await service.authorizations().authorizations.first)
            let id = try #require(made["ids"][0].text)
            try await bank.admin("PATCH", "authorizations/\(id)", #"{"code":"new","title":"other"}"#)
            #expect(await code { try await bank.decide(.approve, shown, service) } == .refused)
            // The item is still there, with another fingerprint.
            #expect(try await service.authorization(shown.id).fingerprint != shown.fingerprint)
        }
    }

    @Test func badItemsBesideGoodOnes() async throws {
        try await RehearsalBank.run { bank in
            let service = try bank.service(try await bank.enroll())
            for oddity in [
                #""corrupt":"key""#, #""corrupt":"iv""#, #""corrupt":"data""#, #""corrupt":"json""#,
                #""corrupt":"connection_id""#,
                #""algorithm":"DES""#, #""expires_at":"soon""#, #""created_at":"yesterday""#, #""raw":"{}""#,
            ] {
                try await bank.admin(
                    "POST", "authorizations", #"{"user":"ada","title":"t","description":"d",\#(oddity)}"#)
            }
            try await bank.admin("POST", "authorizations", #"{"user":"ada","title":"good","description":"d"}"#)
            let list = try await service.authorizations()
            #expect(list.authorizations.map(\.title.untrusted) == ["good"])
            #expect(list.faults.count == 9 && list.listed.count == 10)
            // The bank was not told about the failure.
            let requests = try await bank.admin("GET", "requests?operation=authorizations.list")
            #expect(requests.items.count == 1)
        }
    }

    @Test(arguments: [500, -500]) func theClockIsCorrectedOnce(_ offset: Int) async throws {
        try await RehearsalBank.run { bank in
            let enrolled = try await bank.enroll()
            try await bank.admin("POST", "clock", #"{"offset_seconds":\#(offset)}"#)
            try await bank.admin(
                "POST", "authorizations", #"{"user":"ada","title":"t","description":"d","expires_in":9000}"#)
            let service = try bank.service(enrolled)
            let item = try #require(try await service.authorizations().authorizations.first)
            // The clock offset that was learnt is used for the decision, by another service.
            #expect(try await bank.decide(.approve, item, try bank.service(enrolled)) == .confirmed)
            let requests = try await bank.admin("GET", "requests")
            #expect(requests.items.filter { $0["operation"].text == "authorizations.decide" }.count == 1)
        }
    }

    @Test func consentsActionsAndTheEnd() async throws {
        try await RehearsalBank.run { bank in
            let enrolled = try await bank.enroll()
            let service = try bank.service(enrolled)
            let consent =
                #"{"user":"ada","tpp_name":"Acme","consent_type":"aisp","accounts":[{"name":"Main","iban":"AT00"}],"shared_data":{"balance":true,"transactions":false}}"#
            try await bank.admin("POST", "consents", consent)
            let listed = try #require(try await service.consents().consents.first)
            #expect(listed.thirdParty == BankText("Acme") && listed.shared == .init(balance: true, transactions: false))
            try await service.revokeConsent(listed.id)
            #expect(try await service.consents().consents.isEmpty)
            #expect(await code { try await service.revokeConsent(listed.id) } == .consentGone)

            for (kind, expected) in [("sca", nil), ("plain", nil), ("refused", .actionRefused)]
                as [(String, BankError.Kind?)]
            {
                let made = try await bank.admin(
                    "POST", "actions", #"{"user":"ada","kind":"\#(kind)","title":"Sign in"}"#)
                guard case .action(let link) = try SaltEdgeLink.parse(try #require(made["link"].text)) else {
                    throw BankError(.refused, "no action link")
                }
                var answer: ActionAnswer?
                #expect(await code { answer = try await service.claim(ActionLink(link)) } == expected)
                if let id = answer?.authorization {
                    #expect(kind == "sca")
                    #expect(try await service.authorization(id).title == BankText("Sign in"))
                }
            }

            try await service.revokeConnection()
            #expect(await code { try await service.authorizations() } == .connectionGone)
            #expect(await code { try await service.revokeConnection() } == .connectionGone)
            #expect(try await bank.admin("GET", "connections")[0]["status"].text == "revoked")
        }
    }

    @Test func aUserWhoIsGoneEndsTheConnection() async throws {
        try await RehearsalBank.run { bank in
            let service = try bank.service(try await bank.enroll())
            try await bank.admin("POST", "users/1/delete")
            #expect(await code { try await service.authorizations() } == .connectionGone)
        }
    }

    @Test func aDecisionWhoseAnswerWasLostCountsAtTheBank() async throws {
        try await RehearsalBank.run { bank in
            let service = try bank.service(try await bank.enroll())
            try await bank.admin("POST", "authorizations", #"{"user":"ada","title":"t","description":"d"}"#)
            let item = try #require(try await service.authorizations().authorizations.first)
            try await bank.admin("POST", "faults", #"{"operation":"authorizations.decide","after":true,"drop":true}"#)
            #expect(await code { try await bank.decide(.approve, item, service) } == .noAnswer)
            #expect(try await service.authorizations().listed.isEmpty)
            #expect(try await bank.admin("GET", "authorizations")[0]["status"].text == "confirmed")
        }
    }
}
