import Basics
import FoundationEssentials
@testable import PrivacyIDEA
import ApprovalModel
import Testing
import Web

struct PushStateTests {
    /// As schema 10 had it.
    private static func row(_ members: String) throws -> Connection {
        let row = #"""
            {"guid":"g","name":"fern","id":"PIPU1","keyID":"k","status":"active","wireProtocol":"privacyidea-push",
            "baseURL":"https://fern.example","bankName":"Fern","createdAt":0,"updatedAt":1\#(members)}
            """#
        return try JSONDecoder().decode(Connection.self, from: Data(row.utf8))
    }

    @Test func aRowOfSchema10IsRead() throws {
        let confirmed = try Self.row(#","serverKey":"PEM","wantsBiometrics":true"#).push
        #expect(confirmed.serverKey == "PEM" && confirmed.credential == nil && confirmed.wantsBiometrics == true)
        let waiting = try Self.row(
            #","enrollmentCredential":"c0ffee","enrollmentEnd":"2031-02-03T04:05:06Z""#
        ).push
        #expect(waiting.credential == "c0ffee" && waiting.credentialEnd == Timestamp("2031-02-03T04:05:06Z"))
        #expect(waiting.serverKey == nil && waiting.wantsBiometrics == nil)
    }

    /// While nothing may be shown, only the key that verifies requests is kept.
    @Test func onlyTheServersKeyIsKeptForListing() async throws {
        let transport = try Transport()
        let provider = PrivacyIDEAProvider(transport: transport, now: { .distantPast })
        let state = try ProviderState(PushState(serverKey: "PEM", credential: "c0ffee", wantsBiometrics: true))
        let kept = try provider.stateToList(state).read(as: PushState.self)
        #expect(kept.serverKey == "PEM" && kept.credential == nil && kept.wantsBiometrics == nil)
        await transport.shutdown()
    }
}
