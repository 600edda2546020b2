import Basics
import FoundationEssentials
import ApprovalModel
@testable import SaltEdge
import Testing

/// The client of v2 against the demo bank's SCA Service and provider.
@Suite struct RehearsalV2Tests {
    private static let v2 = #","protocol":"v2""#

    @Test(arguments: ["single", "wrapped"]) func enrollment(_ base64: String) async throws {
        try await RehearsalBank.run { bank in
            try await bank.admin("POST", "settings", #"{"base64":"\#(base64)"}"#)
            let enrolled = try await bank.enroll(Self.v2)
            #expect(enrolled.connection.wireProtocol == .saltEdgeV2)
            try await bank.service(enrolled).prove()
            let connection = try #require(try await bank.admin("GET", "connections").items.first)
            #expect(connection["status"].text == "active")
            #expect(connection["public_key"].text == enrolled.key.publicKeyPEM)
            let strange = try bank.banks.service(
                for: enrolled.connection, token: enrolled.token, key: try Fixture.key("foreign-2048.pem"))
            #expect(await code { try await strange.prove() } == .refused)
            let forged = try bank.banks.service(
                for: enrolled.connection, token: try Fixture.secret("forged"), key: enrolled.key)
            #expect(await code { try await forged.prove() } == .connectionGone)
        }
    }

    /// Asks until the status is final, as the program does.
    private func follow(_ verdict: Verdict, _ id: BankID, _ service: any BankService) async throws -> StatusMachine {
        var machine = StatusMachine()
        _ = machine.act(verdict)
        for _ in 0..<10 where !machine.status.isFinal {
            if let status = try await service.status(of: id) { machine.hear(status) }
        }
        return machine
    }

    @Test(arguments: ["single", "wrapped"], [true, false]) func decisions(_ base64: String, _ constantKey: Bool)
        async throws
    {
        try await RehearsalBank.run { bank in
            try await bank.admin("POST", "settings", #"{"base64":"\#(base64)","constant_key":\#(constantKey)}"#)
            let service = try bank.service(try await bank.enroll(Self.v2))
            for (verdict, wanted, status) in [
                (Verdict.approve, Outcome.confirmed, AuthorizationStatus.confirmed), (.deny, .denied, .denied),
            ] {
                try await bank.admin(
                    "POST", "authorizations",
                    #"{"user":"ada","title":"Zahlung ü","description":{"payment":{"amount":"9.90 EUR","payee":"Fern Books"},"extra":{"device":"Firefox"}}}"#
                )
                let item = try #require(try await service.authorizations().authorizations.first)
                #expect(item.title == BankText("Zahlung ü") && item.status == .pending)
                #expect(
                    item.content.parts == [
                        .payment([
                            LabelledText(key: "payee", value: BankText("Fern Books")),
                            LabelledText(key: "amount", value: BankText("9.90 EUR")),
                        ]),
                        .extra([LabelledText(key: "device", value: BankText("Firefox"))]),
                    ])
                let position = try #require(Geolocation("48.137154,11.576124"))
                let answer = try await bank.decide(verdict, item, service, at: position)
                #expect(answer == .processing)
                let machine = try await follow(verdict, item.id, service)
                #expect(machine.outcome == wanted && machine.status == status)
                // Final: listed for a while, without ciphertext.
                let list = try await service.authorizations()
                #expect(list.authorizations.isEmpty && list.faults.isEmpty && list.settled[item.id] == status)
                #expect(await code { try await service.authorization(item.id) } == .authorizationGone)
            }
            let said = try await bank.admin("GET", "authorizations")
            #expect(
                said.items.compactMap { $0["geolocation"].text }
                    == Array(repeating: "GEO:48.137154;11.576124", count: 2))
        }
    }

    @Test(arguments: [
        ("confirmed", Outcome.refused), ("denied", .denied), ("error", .refused), ("time_out", .expired),
        ("unavailable", .expired), ("closed", .expired),
    ])
    func whateverTheBankEndsWith(_ word: String, _ expected: Outcome) async throws {
        try await RehearsalBank.run { bank in
            let service = try bank.service(try await bank.enroll(Self.v2))
            try await bank.admin(
                "POST", "authorizations",
                #"{"user":"ada","title":"t","description":{"text":"d"},"outcome":"\#(word)","polls":1}"#)
            let item = try #require(try await service.authorizations().authorizations.first)
            _ = try await bank.decide(.deny, item, service)
            #expect(try await follow(.deny, item.id, service).outcome == expected)
        }
    }

    @Test func anUnknownWordIsNoEnd() async throws {
        try await RehearsalBank.run { bank in
            let service = try bank.service(try await bank.enroll(Self.v2))
            try await bank.admin(
                "POST", "authorizations",
                #"{"user":"ada","title":"t","description":{"text":"d"},"outcome":"archived","polls":0}"#)
            let item = try #require(try await service.authorizations().authorizations.first)
            #expect(try await bank.decide(.approve, item, service) == .processing)
            #expect(try await follow(.approve, item.id, service).outcome == nil)
        }
    }

    @Test func badItemsBesideGoodOnes() async throws {
        try await RehearsalBank.run { bank in
            let service = try bank.service(try await bank.enroll(Self.v2))
            for oddity in [
                #""corrupt":"key""#, #""corrupt":"iv""#, #""corrupt":"data""#, #""corrupt":"json""#,
                #""corrupt":"connection_id""#,
                #""expires_at":"soon""#, #""raw":"{}""#,
            ] {
                try await bank.admin(
                    "POST", "authorizations", #"{"user":"ada","title":"t","description":{"text":"d"},\#(oddity)}"#)
            }
            try await bank.admin("POST", "authorizations", #"{"user":"ada","title":"good","description":{}}"#)
            let list = try await service.authorizations()
            #expect(list.authorizations.map(\.title.untrusted) == ["good"])
            #expect(list.authorizations.first?.content.parts == [])
            #expect(list.faults.count == 7 && list.listed.count == 8)
        }
    }

    @Test(arguments: ["J", "R"], [500, -500]) func theClockIsCorrectedOnce(_ style: String, _ offset: Int)
        async throws
    {
        try await RehearsalBank.run { bank in
            try await bank.admin("POST", "settings", #"{"style":"\#(style)"}"#)
            let enrolled = try await bank.enroll(Self.v2)
            let service = try bank.service(enrolled)
            try await bank.admin("POST", "clock", #"{"offset_seconds":\#(offset)}"#)
            try await bank.admin(
                "POST", "authorizations", #"{"user":"ada","title":"t","description":{"text":"d"},"expires_in":9000}"#)
            let item = try #require(try await service.authorizations().authorizations.first)
            // A decision is not sent again automatically, but the clock offset that was learnt is used for the next
            // one.
            if offset > 0 {
                #expect(await code { try await bank.decide(.approve, item, service) } == .signatureExpired)
            }
            #expect(try await bank.decide(.approve, item, try bank.service(enrolled)) == .processing)
        }
    }

    @Test func consentsActionsAndTheEnd() async throws {
        try await RehearsalBank.run { bank in
            let enrolled = try await bank.enroll(Self.v2)
            let service = try #require(try bank.service(enrolled) as? V2Service)
            try await bank.admin(
                "POST", "consents",
                #"{"user":"ada","tpp_name":"Acme","consent_type":"pisp_future","accounts":[{"name":"Main"}]}"#)
            let listed = try #require(try await service.consents().consents.first)
            #expect(listed.thirdParty == BankText("Acme") && listed.type == BankText("pisp_future"))
            try await service.revokeConsent(listed.id)
            #expect(try await service.consents().consents.isEmpty)
            let missing = try #require(BankID("999999"))
            #expect(await code { try await service.revokeConsent(missing) } == .consentGone)

            try await service.update(pushToken: "push-1")
            #expect(try await bank.admin("GET", "connections").items.first?["push_token"].text == "push-1")

            let made = try await bank.admin(
                "POST", "actions", #"{"user":"ada","kind":"sca","title":"Sign in","protocol":"v2"}"#)
            guard case .action(let link) = try SaltEdgeLink.parse(try #require(made["link"].text)) else {
                throw BankError(.refused, "no action link")
            }
            let waiting = try #require(try await service.claim(ActionLink(link)).authorization)
            #expect(try await service.authorization(waiting).title == BankText("Sign in"))
            if case .id(let action, _) = link.target, let id = BankID(action.untrusted) {
                #expect(try await service.authorizations(for: id).authorizations.map(\.id) == [waiting])
            }

            try await service.revokeConnection()
            #expect(await code { try await service.authorizations() } == .connectionGone)
            #expect(await code { try await service.prove() } == .connectionGone)
            #expect(await code { try await service.revokeConnection() } == .connectionGone)
        }
    }

    @Test func revokedFromTheOtherSide() async throws {
        try await RehearsalBank.run { bank in
            let service = try bank.service(try await bank.enroll(Self.v2))
            let id = try #require(try await bank.admin("GET", "connections").items.first?["id"].text)
            try await bank.admin("POST", "connections/\(id)/revoke")
            #expect(await code { try await service.authorizations() } == .connectionGone)
        }
    }

    @Test func anActionThatWasClosed() async throws {
        try await RehearsalBank.run { bank in
            let service = try bank.service(try await bank.enroll(Self.v2))
            let made = try await bank.admin(
                "POST", "authorizations", #"{"user":"ada","title":"t","description":{"text":"d"}}"#)
            let item = try #require(try await service.authorizations().authorizations.first)
            try await bank.admin("POST", "authorizations/\(try #require(made["ids"][0].text))/close")
            #expect(try await service.authorizations().settled[item.id] == .closed)
            #expect(try await service.status(of: item.id) == .closed)
            #expect(await code { try await bank.decide(.approve, item, service) } == .actionRefused)
        }
    }
}
