import Basics
import FoundationEssentials
@testable import SessionModel
@testable import Sessions
import Testing

/// Values for the tests of single duties, which need no agent, no vault and no issuer.
enum Duty {
    static let start = ContinuousClock.now
    static let program = Program(.unit, "backup.service")

    static func session(_ name: String = "fern", updated: Double = 0) throws -> SignIn {
        let issuer = try #require(Issuer("https://\(name).example"))
        let date = Date(timeIntervalSince1970: updated)
        let scopes = try #require(Scopes("mail"))
        return SignIn(
            id: SessionID(name), name: try #require(SessionName(name)),
            issuer: IssuerMetadata(
                issuer: issuer, authorizationEndpoint: issuer.address, tokenEndpoint: issuer.address, fetchedAt: date),
            client: ClientRegistration(id: BankText("c")), asked: scopes, granted: scopes, resources: [],
            identity: nil, at: date)
    }

    static func choice(_ name: String = "fern", scopes: String? = nil) throws -> TokenChoice {
        TokenChoice(
            session: try session(name), aim: TokenAim(scopes: scopes.flatMap { Scopes($0) }), rejected: nil)
    }

    static func grant(
        _ id: String = "g-1", _ use: ProgramGrant.Use = .open, hasBeenUsed: Bool = false
    ) throws -> ProgramGrant {
        var grant = ProgramGrant(
            id: id, program: program, session: SessionID("fern"), scopes: try #require(Scopes("mail")), resources: [],
            use: use, at: ManualClock.start)
        if hasBeenUsed { grant.lastUsedAt = ManualClock.start }
        return grant
    }
}
