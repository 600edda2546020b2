import Basics
import FoundationEssentials
@testable import SessionModel
import Synchronization
import Testing

@testable import Sessions

/// Tokens of several scope sets beside each other (oauth section 7.1), also where an issuer's renewals end earlier tokens.
struct ScopeSetTests {
    private typealias Calls = KeeperFixture.Calls

    private static let sets = [KeeperFixture.mail, TokenAim(scopes: Scopes("openid")), .whole]

    /// Three sets in turn, twelve times.
    private func inTurn(_ fern: KeeperFixture, _ issuer: ScriptedIssuer) async throws -> [String] {
        var given: [String] = []
        for aim in (1...4).flatMap({ _ in Self.sets }) {
            given.append(try await fern.outcome(fern.keeper(issuer), aim, lasting: 60))
        }
        return given
    }

    private static let beside = (1...4).flatMap { _ in ["a2", "a3", "a1"] }

    @Test func eachSetIsRenewedOnce() async throws {
        let (fern, calls) = (try KeeperFixture(), Calls())
        #expect(try await inTurn(fern, calls.issuer) == Self.beside)
        // After a first renewal with scopes, each names its own.
        #expect(calls.sent.withLock { $0 } == ["r1 mail", "r2 openid"])
        fern.time.pass(300)
        #expect(try await fern.outcome(fern.keeper(calls.issuer)) == "a4")
        #expect(calls.sent.withLock { $0.last } == "r3 mail openid")
    }

    /// UserInfo says, once, whether the earlier token is still good.
    @Test(arguments: [200, 401, 403, 500]) func anIssuerWhoseRenewalsMayEndEarlierTokens(_ status: Int) async throws {
        let (fern, calls) = (try KeeperFixture(hasUserInfo: true), Calls())
        let shown = Mutex<[String]>([])
        var issuer = calls.issuer
        issuer.onUserInfo = { token async throws(IssuerError) in
            shown.withLock { $0.append(token) }
            switch status {
            case 200: return UserProfile(subject: BankText("mira"))
            case 500: throw .unreachable(reason: "away")
            default: throw .refused(Rejection(.other, status: status))
            }
        }
        let given = try await inTurn(fern, issuer)
        if status == 401 {
            #expect(given == (2...13).map { "a\($0)" })
            #expect(shown.withLock { $0 } == ["a1"])
        } else {
            #expect(given == Self.beside)
            #expect(shown.withLock { $0 } == (status == 200 ? ["a1"] : ["a1", "a1"]))
        }
    }

    /// A service says so of a token that was renewed for something else meanwhile.
    @Test func aRejectedTokenShowsThatRenewalsEndEarlierOnes() async throws {
        let (fern, calls) = (try KeeperFixture(), Calls())
        let rejected = RejectedToken { text($0) == "a1" }
        #expect(try await fern.outcome(fern.keeper(calls.issuer), KeeperFixture.mail) == "a2")
        #expect(try await fern.outcome(fern.keeper(calls.issuer), rejected: rejected) == "a3")
        #expect(try await fern.outcome(fern.keeper(calls.issuer), KeeperFixture.mail) == "a4")
        // One that nothing was renewed after is rejected for another reason.
        let (oak, others) = (try KeeperFixture(), Calls())
        #expect(try await oak.outcome(oak.keeper(others.issuer), rejected: rejected) == "a2")
        #expect(try await oak.outcome(oak.keeper(others.issuer), KeeperFixture.mail) == "a3")
        #expect(try await oak.outcome(oak.keeper(others.issuer)) == "a2")
    }

    /// Sixteen tokens are kept; those that were replaced go first, then the oldest.
    @Test func sixteenSetsAreKept() throws {
        let fern = try KeeperFixture()
        var tokens = try fern.row
        for number in 2...17 {
            let aim = TokenAim(scopes: Scopes("s\(number / 2)"))
            tokens = tokens.renewed(
                by: TokenKeeperTests.grant(number), for: aim, scopes: .none, at: Moment(fern.time.clock))
        }
        #expect(tokens.access.count == 16)
        // a1 is of the whole, and the newer one of each pair is good.
        #expect(
            tokens.access.filter { !$0.isDoubtful }.map { text($0.token.secret) } == [
                "a17", "a15", "a13", "a11", "a9", "a7", "a5", "a3", "a1",
            ])
        for number in 18...40 {
            let aim = TokenAim(scopes: Scopes("s\(number)"))
            tokens = tokens.renewed(
                by: TokenKeeperTests.grant(number), for: aim, scopes: .none, at: Moment(fern.time.clock))
        }
        #expect(tokens.access.map { text($0.token.secret) } == (25...40).reversed().map { "a\($0)" })
    }
}
