import Basics
import FoundationEssentials
@testable import SessionModel
import Synchronization
import Testing

@testable import Sessions

/// Sites are bound by what services say of themselves, and choose the token of a request.
struct SitesTests {
    let store = MemorySessions()
    let clock = TokenKeeperTests.Time().clock
    private let api = "https://api.fern.example/v1"

    private func add(_ name: String = "fern", resources: [String] = []) throws -> SignIn {
        let issuer = try #require(Issuer("https://id.fern.example"))
        let metadata = IssuerMetadata(
            issuer: issuer, authorizationEndpoint: issuer.address, tokenEndpoint: issuer.address, fetchedAt: Date())
        let scopes = try #require(Scopes("mail read write"))
        let session = SignIn(
            id: SessionID(name), name: try #require(SessionName(name)), issuer: metadata,
            client: ClientRegistration(id: BankText("c")), asked: scopes, granted: scopes,
            resources: resources.compactMap { ResourceIndicator($0) }, identity: nil, at: Date())
        return try store.add(
            session, with: TokenSet(TokenKeeperTests.grant(1), scopes: scopes, at: Moment(clock)))
    }

    /// What a service says of itself.
    private func metadata(
        _ resource: String, issuers: [String]? = ["https://id.fern.example"], methods: [String]? = nil
    ) throws -> ResourceMetadata {
        ResourceMetadata(
            place: try WebAddress("https://api.fern.example/.well-known/oauth-protected-resource/v1"),
            resource: BankText(resource), issuers: issuers?.map { BankText($0) }, methods: methods?.map { BankText($0) }
        )
    }

    private func issuer(_ metadata: ResourceMetadata?) -> ScriptedIssuer {
        var issuer = ScriptedIssuer()
        issuer.onDescribe = { (_, _) async throws(IssuerError) in ResourceDescription(metadata) }
        return issuer
    }

    private func sites(_ issuer: ScriptedIssuer = ScriptedIssuer()) -> Sites {
        Sites(service: issuer, store: store, clock: clock, makeID: { UUID().uuidString.lowercased() })
    }

    private func wish(_ rule: String? = nil) throws -> Sites.Wish {
        Sites.Wish(try SiteRule(reading: rule ?? api), session: nil)
    }

    private func bind(
        _ rule: String, _ metadata: ResourceMetadata? = nil, change: (inout Sites.Wish) -> Void = { _ in }
    )
        async throws -> Site
    {
        var wish = try wish(rule)
        change(&wish)
        let sites = sites(issuer(metadata))
        return try sites.bind(try await sites.offer(wish))
    }

    private func failure(_ body: () async throws -> some Sendable) async -> Failure? {
        do {
            _ = try await body()
            return nil
        } catch { return (error as? any PresentableError)?.failure }
    }

    // MARK: Binding

    @Test func aServiceSaysThatItBelongs() async throws {
        let resource = "https://api.fern.example/v1"
        _ = try add(resources: [resource, "https://other.example"])
        let offer = try await sites(issuer(try metadata(resource))).offer(try wish())
        #expect(offer.metadata != nil && store.state.withLock { $0.sites.isEmpty })
        let site = try sites().bind(offer)
        #expect(site.proof == .metadata && site.resource?.text == resource && site.id.text.count == 8)
        #expect(try store.sites() == [site])
    }

    /// Where it says nothing, that is told, so that the person can say it.
    @Test func aServiceThatSaysNothing() async throws {
        _ = try add()
        let offer = try await sites(issuer(nil)).offer(try wish())
        #expect(offer.metadata == nil)
        #expect(try sites().bind(offer).proof == .person)
    }

    /// The resource is the prefix or lies above it; its issuers have ours, and it takes tokens in the header.
    @Test(
        arguments: [
            ("https://api.fern.example/v1", ["https://id.fern.example"], nil, nil),
            (
                "https://api.fern.example", ["https://oak.example", "https://id.fern.example/"], ["body", "header"], nil
            ),
            ("https://api.fern.example/v1/", ["https://id.fern.example"], nil, nil),
            ("https://api.fern.example/v1/x", ["https://id.fern.example"], nil, .resource),
            ("https://api.fern.example/v", ["https://id.fern.example"], nil, .resource),
            ("https://oak.example/v1", ["https://id.fern.example"], nil, .resource),
            ("urn:fern", ["https://id.fern.example"], nil, .resource),
            ("https://api.fern.example/v1", ["https://oak.example"], nil, .issuers),
            ("https://api.fern.example/v1", ["https://id.fern.example.oak.example"], nil, .issuers),
            ("https://api.fern.example/v1", [], nil, .issuers), ("https://api.fern.example/v1", nil, nil, .issuers),
            ("https://api.fern.example/v1", ["https://id.fern.example"], ["body"], .methods),
        ] as [(String, [String]?, [String]?, MetadataFinding.Field?)])
    func contradictions(
        _ row: (resource: String, issuers: [String]?, methods: [String]?, wrong: MetadataFinding.Field?)
    ) async throws {
        _ = try add()
        let sites = sites(issuer(try metadata(row.resource, issuers: row.issuers, methods: row.methods)))
        do {
            _ = try await sites.offer(try wish())
            #expect(row.wrong == nil)
        } catch SessionError.siteContradicts(let place, let finding) {
            #expect(finding.field == row.wrong && place == api)
            #expect(SessionError.siteContradicts(place, finding).failure.kind == .changed)
        }
        #expect(try store.sites().isEmpty)
    }

    @Test func aServiceThatCannotBeAskedIsNotBound() async throws {
        _ = try add()
        var issuer = ScriptedIssuer()
        issuer.onDescribe = { (_, _) async throws(IssuerError) in throw IssuerError.unreachable(reason: "no network") }
        let sites = sites(issuer)
        #expect(await failure { try await sites.offer(try wish()) }?.kind == .unreachable)
    }

    @Test func whatASessionWasNotGrantedIsNotBound() async throws {
        _ = try add(resources: ["https://api.fern.example/v1"])
        for change in [{ $0.scopes = Scopes("admin") }, { $0.resource = ResourceIndicator("https://oak.example") }]
            as [(inout Sites.Wish) -> Void]
        {
            var wish = try wish()
            change(&wish)
            let told = await failure { [wish] in try await sites().offer(wish) }
            #expect(told?.kind == .refused)
        }
        var wish = try wish()
        wish.session = "oak"
        let told = await failure { [wish] in try await sites().offer(wish) }
        #expect(told?.kind == .notFound)
    }

    @Test func twoEqualRulesCannotExist() async throws {
        _ = try add()
        let first = try await bind(api)
        let again = await failure { try await bind("HTTPS://api.fern.example:443/v1/") }
        #expect(again?.kind == .usage && again?.hint?.contains("sites remove \(first.id.text)") == true)
        // Two at once: the store decides.
        let offer = try await sites(issuer(nil)).offer(try wish("https://oak.example"))
        _ = try sites().bind(offer)
        #expect(throws: SessionError.self) { try sites().bind(offer) }
    }

    /// Of many hosts nothing can be asked beforehand.
    @Test func subdomainsAreNotAsked() async throws {
        _ = try add()
        let offer = try await sites().offer(try wish(".fern.example"))
        #expect(offer.metadata == nil)
    }

    @Test func removing() async throws {
        let session = try add()
        let (first, second) = (try await bind(api), try await bind("api.oak.example"))
        #expect(try sites().remove(first.id.text) == first)
        #expect(try sites().remove("api.oak.example") == second)
        #expect(throws: SessionError.self) { try sites().remove(first.id.text) }
        // A session takes its sites along.
        _ = try await bind(api)
        try store.remove(session.id, owing: [])
        #expect(try store.sites().isEmpty)
    }

    @Test func checking() async throws {
        _ = try add()
        let site = try await bind(api)
        let good = try await sites(issuer(try metadata(api))).check(site.id.text)
        #expect(good.map(\.isGood) == [true] && good[0].findings.count == 4)
        let bad = SiteChecksPayload(
            try await sites(issuer(try metadata(api, issuers: ["https://oak.example\u{1B}[2J"]))).check(nil))
        #expect(!bad.isGood && bad.checks[0].fields.map(\.ok) == [true, false, true, true])
        #expect(!bad.checks[0].fields[1].message.contains("\u{1B}"))
        let silent = SiteChecksPayload(try await sites(issuer(nil)).check(nil))
        #expect(silent.isGood && silent.checks[0].fields.isEmpty)
        #expect(await failure { try await sites().check("none") }?.kind == .notFound)
    }

    // MARK: Choosing

    private func choose(
        _ address: String, _ challenge: String? = nil, _ described: ResourceMetadata? = nil
    ) async throws -> TokenChoice {
        let chooser = TokenChooser(service: described == nil ? ScriptedIssuer() : issuer(described), store: store)
        let given = challenge.map { SiteMatcher.Given.read(Challenges([$0])) } ?? .none
        return try await chooser.choose(for: ServiceRequest(try WebAddress(address), given))
    }

    @Test func sitesComeBeforeResources() async throws {
        _ = try add("fern", resources: [api, "https://other.example"])
        _ = try add("oak", resources: ["https://api.fern.example"])
        #expect(try await choose(api).session.name.text == "fern")
        #expect(try await choose(api).aim.resources.map(\.text) == [api])
        let site = try await bind("https://api.fern.example", change: { $0.session = "oak" })
        let choice = try await choose(api + "/me")
        #expect(choice.site == site && choice.session.name.text == "oak" && choice.aim == .whole)
        #expect(choice.resource == nil && choice.rejected == nil)
        #expect(await failure { try await choose("https://elsewhere.example") }?.kind == .notFound)
        // A challenge that asks for a password gets no token.
        #expect(await failure { try await choose(api, "Basic") }?.kind == .notFound)
        #expect(try await choose("https://other.example", "Bearer").session.name.text == "fern")
    }

    /// A session that was signed in for the same address gives nothing past the conditions that the person put there.
    @Test func aSiteWithConditionsIsNotPassedBy() async throws {
        _ = try add("fern", resources: [api])
        _ = try await bind(
            api,
            change: {
                $0.isOnChallenge = true
                $0.realm = "fern"
            })
        #expect(await failure { try await choose(api + "/me") }?.kind == .notFound)
        #expect(await failure { try await choose(api + "/me", "Bearer realm=oak") }?.kind == .notFound)
        #expect(try await choose(api + "/me", "Bearer realm=fern").site != nil)
        // What lies elsewhere is not the site's.
        _ = try add("oak", resources: ["https://api.fern.example/v2"])
        #expect(try await choose("https://api.fern.example/v2").session.name.text == "oak")
    }

    /// A challenge adds what it wants, within what the session was granted.
    @Test(
        arguments: [
            ("mail", "Bearer", "mail"), ("mail", #"Bearer scope="read admin""#, "mail read"),
            (nil, #"Bearer scope="read""#, nil),
            ("mail", #"Bearer scope="read write""#, nil),
            ("mail", #"Bearer error="insufficient_scope", scope="read""#, "mail read"),
            ("mail", #"Bearer error="insufficient_scope", scope="admin""#, "refused"),
            ("mail", #"Bearer error="insufficient_scope", scope="mail""#, "refused"),
            (nil, #"Bearer error="insufficient_scope", scope="read""#, "refused"),
            ("mail", #"Bearer error="insufficient_scope""#, "refused"),
            ("mail", #"Bearer error="insufficient_user_authentication""#, "signed_out"),
        ] as [(String?, String, String?)])
    func wantedScopes(_ row: (own: String?, challenge: String, asked: String?)) async throws {
        _ = try add()
        _ = try await bind(api, change: { $0.scopes = row.own.flatMap { Scopes($0) } })
        do {
            let choice = try await choose(api, row.challenge)
            #expect(choice.aim.scopes?.text == row.asked && choice.rejected == nil)
        } catch let error as SessionError {
            #expect(error.failure.kind.rawValue == row.asked)
        }
    }

    /// The hint is a command that can be pasted, and nothing that a service wrote can run in it.
    @Test func whatToSignInWith() async throws {
        _ = try add()
        _ = try await bind(api)
        func hint(_ challenge: String) async -> String? { await failure { try await choose(api, challenge) }?.hint }
        #expect(
            await hint(#"Bearer error=insufficient_scope, scope="admin""#)
                == "countersign login fern --scope admin --scope mail --scope read --scope write")
        #expect(
            await hint(#"Bearer error=insufficient_user_authentication, acr_values="gold urn:x", max_age=60"#)
                == "countersign login fern --acr gold --acr urn:x --max-age 60")
        for evil in ["$(id)", "`id`", "a;id", "--yes"] {
            #expect(
                await hint(#"Bearer error=insufficient_user_authentication, acr_values="\#(evil)""#)
                    == "countersign login fern --acr VALUE")
        }
    }

    @Test func aRejectedToken() async throws {
        _ = try add()
        _ = try await bind(api)
        #expect(try await choose(api, "Bearer error=invalid_token").rejected != nil)
        #expect(try await choose(api, "error=invalid_token").rejected != nil)
        #expect(try await choose(api, "bearer error=missing_authorization").rejected == nil)
    }

    /// Where a challenge names the service's metadata, they are compared before anything is sent.
    @Test func aChallengeThatNamesMetadata() async throws {
        _ = try add()
        _ = try await bind(api)
        let challenge = "Bearer resource_metadata=https://api.fern.example/meta"
        #expect(try await choose(api + "/me", challenge, try metadata(api)).session.name.text == "fern")
        let foreign = try metadata(api, issuers: ["https://oak.example"])
        #expect(await failure { try await choose(api, challenge, foreign) }?.kind == .changed)
        let neighbour = try metadata(api + "/you")
        #expect(await failure { try await choose(api + "/me", challenge, neighbour) }?.kind == .changed)
    }

    @Test func aHostMustBeDescribedWhereItSaysSo() async throws {
        _ = try add()
        _ = try await bind(".fern.example")
        let chooser = TokenChooser(service: issuer(nil), store: store)
        func choose(_ challenge: String) async throws -> TokenChoice {
            try await chooser.choose(
                for: ServiceRequest(try WebAddress(api), .read(Challenges([challenge]))))
        }
        #expect(try await choose("Bearer").site != nil)
        #expect(
            await failure { try await choose("Bearer resource_metadata=https://api.fern.example/m") }?.kind == .changed)
    }
}
