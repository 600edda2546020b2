import Basics
import FoundationEssentials
@testable import SessionModel
import Testing

@testable import Sessions

/// Which session a program means that names none.
struct TokenSearchTests {
    private static let program = Program(.unit, "backup.service")
    private static let api = "https://api.fern.example"
    private let store = MemorySessions()
    private let clock = TokenKeeperTests.Time().clock

    private func add(_ name: String, _ resource: String? = nil) throws -> SignIn {
        let issuer = try #require(Issuer("https://id.fern.example"))
        let scopes = try #require(Scopes("mail"))
        let session = SignIn(
            id: SessionID(name), name: try #require(SessionName(name)),
            issuer: IssuerMetadata(
                issuer: issuer, authorizationEndpoint: issuer.address, tokenEndpoint: issuer.address, fetchedAt: Date()),
            client: ClientRegistration(id: BankText("c")), asked: scopes, granted: scopes,
            resources: resource.map { [ResourceIndicator($0)].compactMap(\.self) } ?? [], identity: nil, at: Date())
        return try store.add(session, with: TokenSet(TokenKeeperTests.grant(1), scopes: scopes, at: Moment(clock)))
    }

    private func grant(_ session: SignIn) -> ProgramGrant {
        ProgramGrant(
            id: session.id.text, program: Self.program, session: session.id, scopes: session.granted,
            resources: session.resources, use: .open, at: Date())
    }

    private func site(_ rule: String, _ session: SignIn) async throws {
        var issuer = ScriptedIssuer()
        issuer.onDescribe = { (_, _) async throws(IssuerError) in ResourceDescription(nil) }
        let sites = Sites(service: issuer, store: store, clock: clock, makeID: { UUID().uuidString.lowercased() })
        _ = try sites.bind(try await sites.offer(Sites.Wish(try SiteRule(reading: rule), session: session.name.text)))
    }

    /// The names of what is found by the address, or by the issuer where there is none.
    private func found(_ address: String?, _ grants: [ProgramGrant], scopes: String? = nil) throws -> [String] {
        let chooser = TokenChooser(service: ScriptedIssuer(), store: store)
        let search = TokenSearch(try store.sessions(), grants)
        let aim = TokenAim(scopes: scopes.flatMap { Scopes($0) })
        let found = try search.found(for: .program(Self.program)) { sessions in
            if let address { return try chooser.found(for: ServiceRequest(try WebAddress(address)), among: sessions) }
            let session = try SessionLookup(sessions).session("https://id.fern.example")
            return TokenChoice(session: session, aim: aim, rejected: nil)
        }
        return switch found {
        case .one(let choice): [choice.session.name.text]
        case .several(let choices): choices.map(\.session.name.text)
        case .nothing: []
        }
    }

    /// Sites come first: another session's token is not sent where the person said whose it is, also if that is not the program's.
    @Test func aSiteSaysWhoseTokenItIs() async throws {
        let (fern, oak) = (try add("fern", Self.api), try add("oak"))
        #expect(try found(Self.api + "/v1/me", [grant(fern)]) == ["fern"])
        try await site(Self.api + "/v1", oak)
        #expect(try found(Self.api + "/v1/me", [grant(fern)]) == ["oak"])
        #expect(try found(Self.api + "/v2", [grant(fern)]) == ["fern"])
        #expect(try found(Self.api + "/v1/me", [grant(oak)]) == ["oak"])
        // Asked for one session alone, nothing else comes.
        let chooser = TokenChooser(service: ScriptedIssuer(), store: store)
        #expect(throws: SessionError.self) {
            try chooser.found(for: ServiceRequest(try WebAddress(Self.api + "/v1/me")), among: [fern])
        }
    }

    /// And so does the resource that covers most of the address.
    @Test func theLongerResourceSaysIt() throws {
        let (fern, _) = (try add("fern", Self.api), try add("oak", Self.api + "/v1"))
        #expect(try found(Self.api + "/v1/me", [grant(fern)]) == ["oak"])
    }

    @Test func whereSeveralFitAProgramMeansItsOwn() throws {
        let (fern, oak) = (try add("fern"), try add("oak"))
        #expect(try found(nil, [grant(oak)]) == ["oak"])
        #expect(throws: SessionError.self) { try found(nil, [grant(fern), grant(oak)]) }
        #expect(Set(try found(nil, [])) == ["fern", "oak"])
        #expect(try found(nil, [], scopes: "admin") == [], "what no session was granted is not asked for")
        let stranger = ProgramGrant(
            id: "1", program: Program(.unit, "mail.service"), session: oak.id, scopes: oak.granted, resources: [],
            use: .open, at: Date())
        #expect(Set(try found(nil, [stranger])) == ["fern", "oak"])
    }

    @Test func aProgramHearsNothingOfWhatIsNotThere() throws {
        _ = try add("fern")
        #expect(try found("https://oak.example", []) == [])
    }
}
