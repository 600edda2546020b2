import Basics
import FoundationEssentials
@testable import SessionModel
import Testing

@testable import Sessions

/// Who gets a token when, by value: the table of oauth section 5.2, and the order of its checks.
struct HandOutTests {
    private static let program = Program(.unit, "backup.service")
    private let now = Date(timeIntervalSince1970: 1_900_000_000)

    private func session() throws -> SignIn {
        let issuer = try #require(Issuer("https://id.fern.example"))
        return SignIn(
            id: SessionID("1"), name: try #require(SessionName("fern")),
            issuer: IssuerMetadata(
                issuer: issuer, authorizationEndpoint: issuer.address, tokenEndpoint: issuer.address, fetchedAt: now),
            client: ClientRegistration(id: BankText("c")), asked: .none, granted: try #require(Scopes("a b")),
            resources: [], identity: nil, at: now)
    }

    private func grant(_ use: ProgramGrant.Use, _ change: (inout ProgramGrant) -> Void = { _ in }) throws
        -> ProgramGrant
    {
        var grant = ProgramGrant(
            id: "1", program: Self.program, session: SessionID("1"), scopes: try #require(Scopes("a b")), resources: [],
            use: use, at: now)
        change(&grant)
        return grant
    }

    private func verdict(
        _ grants: [ProgramGrant], _ readiness: HandOutRules.Readiness, scopes: String? = nil, hasEnded: Bool? = false
    ) throws -> HandOutRules.Verdict {
        let aim = TokenAim(scopes: scopes.flatMap { Scopes($0) })
        let handOut = HandOutRules(grants, readiness, at: now)
        return try handOut.verdict(on: .program(Self.program), wanting: aim, .access, of: try session()) {
            () throws -> Bool in
            guard let hasEnded else { throw NobodyNeedsToKnow() }
            return hasEnded
        }
    }

    private struct NobodyNeedsToKnow: Error {}

    @Test(arguments: HandOutRules.Readiness.allCases, ProgramGrant.Use.allCases)
    func eachCell(_ readiness: HandOutRules.Readiness, _ use: ProgramGrant.Use) throws {
        let grant = try grant(use)
        let expected: HandOutRules.Verdict =
            switch (readiness, use) {
            case (_, .unlocked), (.atHand, .open): .yes(.whole, by: grant)
            case (.atHand, .asked): .afterPIN(.whole, by: grant)
            case (.asleep, .open), (.asleep, .asked): .locked
            }
        #expect(try verdict([grant], readiness) == expected)
        let person = try HandOutRules([], readiness, at: now).verdict(on: .person, wanting: .whole, of: try session())
        #expect(person == (readiness == .atHand ? .yes(.whole, by: nil) : .locked))
    }

    /// A session that ended is told of before the person is asked for a PIN, a grant or to come back; where a token is handed out, its keeper
    /// looks, and nobody else does.
    @Test(arguments: HandOutRules.Readiness.allCases, ProgramGrant.Use.allCases)
    func theSessionComesBeforeThePerson(_ readiness: HandOutRules.Readiness, _ use: ProgramGrant.Use) throws {
        let grant = try grant(use)
        if use == .unlocked || (use == .open && readiness == .atHand) {
            #expect(try verdict([grant], readiness, hasEnded: nil) == .yes(.whole, by: grant))
        } else {
            #expect(try verdict([grant], readiness, hasEnded: true) == .signedOut)
        }
        #expect(try verdict([grant], readiness, scopes: "c", hasEnded: true) == .signedOut)
    }

    /// The grant comes first: without one a program hears nothing of the session, and nobody looks.
    @Test(arguments: HandOutRules.Readiness.allCases) func theGrantComesBeforeTheSession(
        _ readiness: HandOutRules.Readiness
    )
        throws
    {
        let none: HandOutRules.Verdict = readiness == .atHand ? .needsGrant : .locked
        #expect(try verdict([], readiness, hasEnded: nil) == none)
        let over = try grant(.asked) { $0.expiresAt = now }
        #expect(try verdict([over], readiness, hasEnded: nil) == none)
        let other = try grant(.asked) { $0.program = Program(.unit, "mail.service") }
        #expect(try verdict([other], readiness, hasEnded: nil) == none)
    }
}
