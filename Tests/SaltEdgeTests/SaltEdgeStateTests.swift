import Basics
import FoundationEssentials
import ApprovalModel
@testable import SaltEdge
import Testing

struct SaltEdgeStateTests {
    /// As schema 10 had it.
    @Test func aRowOfSchema10IsRead() throws {
        let row = #"""
            {"guid":"g","name":"fern","id":"12","keyID":"k","status":"active","wireProtocol":"saltedge-v2",
            "baseURL":"https://fern.example","bankName":"Fern","createdAt":0,"updatedAt":1,
            "configurationURL":"https://fern.example/c","bankCode":"9","providerKey":"PEM",
            "supportEmail":"h@f.example","geolocationRequired":true}
            """#
        let connection = try JSONDecoder().decode(Connection.self, from: Data(row.utf8))
        let state = connection.saltEdge
        #expect(state.configurationURL == "https://fern.example/c" && state.bankCode == "9")
        #expect(state.providerKey == "PEM" && state.supportEmail == BankText("h@f.example"))
        #expect(state.geolocationRequired == true)
    }

    @Test(arguments: [(true, true), (false, false), (nil, false)])
    func anApprovalNeedsAPositionIfTheBankSaysSo(_ required: Bool?, _ needsPosition: Bool) async throws {
        let item = try Fixture.item(#""77""#, Fixture.payload("77"), key: try Fixture.key())
        try await Fixture.overTransport { transport in
            try await ScriptedBank.serve({ _ in .text("{\"data\":[\(item)]}") }) { bank in
                var connection = try Fixture.connection(.saltEdgeV1, bank.base)
                connection.state = try connection.state.changed(SaltEdgeState.self) {
                    $0.geolocationRequired = required
                }
                let service = try Fixture.banks(transport).service(
                    for: connection, token: try Fixture.secret("tok-1"), key: try Fixture.key())
                #expect(try await service.authorizations().authorizations.map(\.needsPosition) == [needsPosition])
            }
        }
    }
}
