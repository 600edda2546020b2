import Approvals
import Basics
import FoundationEssentials
import ApprovalModel
import Testing

/// The one judgement of state, expiry and position, on what the bank served and on the card made of it.
@Suite struct DecidableTests {
    private static let now = Date(timeIntervalSince1970: 1_900_000_000)

    struct Row: Sendable {
        var status = AuthorizationStatus.pending
        var verdict = Verdict.approve
        var left: Double? = 300
        var isSealedDenial = false
        var wantsPosition = false
        var hasPosition = false
        var code: DecisionError?
    }

    @Test(arguments: [
        Row(), Row(left: nil), Row(verdict: .deny),
        Row(status: .confirmProcessing, code: .underWay), Row(status: .denyProcessing, verdict: .deny, code: .underWay),
        Row(status: .denied, code: .gone), Row(status: .confirmed, verdict: .deny, code: .gone),
        Row(left: 0, code: .expired), Row(left: -1, code: .expired), Row(verdict: .deny, left: -1),
        Row(verdict: .deny, left: -1, isSealedDenial: true, code: .expired),
        Row(wantsPosition: true, code: .geolocationRequired), Row(wantsPosition: true, hasPosition: true),
        Row(verdict: .deny, wantsPosition: true), Row(verdict: .deny, isSealedDenial: true, wantsPosition: true),
        // The state counts before the expiry, and the expiry before the position.
        Row(status: .denied, left: -1, wantsPosition: true, code: .gone),
        Row(left: -1, wantsPosition: true, code: .expired),
    ])
    func cardAndAuthorizationAreJudgedAlike(_ row: Row) throws {
        let connection = try World().connection
        let authorization = Authorization(
            connection: connection.guid, id: try #require(BankID("7")), status: row.status, title: BankText("Pay"),
            content: AuthorizationContent(parts: [.text(BankText("x"))]), source: BankText("{}"), code: nil,
            createdAt: nil, expiresAt: row.left.map { Self.now + $0 },
            fingerprint: try #require(Fingerprint(bytes: Array(0..<32))), denialPassesAsApproval: row.isSealedDenial,
            needsPosition: row.wantsPosition)
        for form in [authorization, Card(authorization, of: connection)] as [any Decidable] {
            #expect(form.obstacle(to: row.verdict, hasPosition: row.hasPosition, at: Self.now) == row.code)
        }
    }

    @Test func aRequestWaitsUntilItExpires() throws {
        let connection = try World().connection
        let card = Card(try World.authorization(expiresIn: 60), of: connection)
        let end = try #require(card.expiresAt)
        #expect(card.isWaiting(at: end - 1) && !card.isWaiting(at: end))
    }
}
