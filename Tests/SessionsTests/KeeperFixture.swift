import Basics
import FoundationEssentials
@testable import SessionModel
import Synchronization
import Testing

@testable import Sessions

/// A session in memory, whose issuer and clock a test moves.
struct KeeperFixture {
    let time = TokenKeeperTests.Time()
    let store = MemorySessions()
    let session: SignIn

    init(lifetime: Int64? = 300, type: TokenType = .bearer, fetchedAt: Double = 1_000_900, hasUserInfo: Bool = false)
        throws
    {
        let issuer = try #require(Issuer("https://fern.example"))
        var metadata = IssuerMetadata(
            issuer: issuer, authorizationEndpoint: issuer.address, tokenEndpoint: issuer.address,
            fetchedAt: Date(timeIntervalSince1970: fetchedAt))
        metadata.revocationEndpoint = issuer.address
        if hasUserInfo { metadata.userInfoEndpoint = issuer.address }
        let scopes = try #require(Scopes("mail openid"))
        var grant = TokenKeeperTests.grant(1, lifetime: lifetime)
        grant.type = type
        session = try store.add(
            SignIn(
                id: SessionID("1"), name: try #require(SessionName("fern")), issuer: metadata,
                client: ClientRegistration(id: BankText("c")), asked: scopes, granted: scopes, resources: [],
                identity: Identity(subject: BankText("mira")), at: Date()),
            with: TokenSet(grant, scopes: scopes, at: Moment(time.clock)), noting: nil)
    }

    static let mail = TokenAim(scopes: Scopes("mail"))

    /// An issuer that counts what is sent to it, and answers the first of it so.
    final class Calls: Sendable {
        let sent = Mutex<[String]>([])
        let answers: Mutex<[TokenAnswer]>

        init(_ answers: [TokenAnswer] = []) { self.answers = Mutex(answers) }

        /// Answers what nothing else was said for with the next tokens.
        var issuer: ScriptedIssuer {
            var issuer = ScriptedIssuer()
            issuer.onRefresh = { token, request in
                self.sent.withLock { $0.append("\(token) \(request.scopes?.text ?? "-")") }
                let number = self.sent.withLock(\.count) + 1
                return self.answers.withLock { answers in
                    answers.isEmpty ? .granted(TokenKeeperTests.grant(number)) : answers.removeFirst()
                }
            }
            return issuer
        }
    }

    func keeper(
        _ issuer: ScriptedIssuer = ScriptedIssuer(), clock: Clock? = nil, interrupts: Interrupts = .none,
        unsaved: UnsavedSessions = UnsavedSessions(), tellUnstored: @escaping TokenKeeper.TellUnstored = { _, _ in }
    ) -> TokenKeeper {
        TokenKeeper(
            service: issuer, store: store, clock: clock ?? time.clock, signOutClock: .never,
            makeID: { UUID().uuidString }, interrupts: interrupts, unsaved: unsaved, tellUnstored: tellUnstored)
    }

    /// The token that is handed out, or the kind of the failure.
    func outcome(
        _ keeper: TokenKeeper, _ aim: TokenAim = .whole, lasting seconds: Int64 = 0, rejected: RejectedToken? = nil
    ) async throws -> String {
        do {
            return text(
                try await keeper.token(of: session, for: aim, lasting: seconds, rejected: rejected).token.secret)
        } catch { return "\(try #require(error as? any PresentableError).failure.kind)" }
    }

    var row: TokenSet {
        get throws { try #require(try store.tokens(of: session.id)) }
    }

    /// Changes the row behind the keeper's back.
    func change(_ body: (inout TokenSet) -> Void) { store.state.withLock { body(&$0.tokens[session.id]!) } }

    func mark(_ aim: TokenAim = .whole, attempt: Int = 1) {
        change { row in
            var mark = RenewalMark(generation: row.generation, for: aim, at: Moment(time.clock))
            for _ in 1..<attempt { mark = mark.next(at: Moment(time.clock)) }
            row.mark = mark
        }
    }
}
