import Basics
import FoundationEssentials
import OAuth
import SessionModel
import Testing
import Web

/// Discovery at the strict issuer, with one fault each.
struct DiscoveryTests {
    private func discover(
        _ options: [String], orders: [String] = [], path: String? = nil
    ) async throws -> Result<DiscoveredIssuer, IssuerError> {
        let transport = try Transport()
        let issuer = try await TestIssuer(transport, options)
        for order in orders { try await issuer.control(order) }
        let service = OAuthService(transport: transport, now: { Date() })
        let target = try path.map { try WebAddress(issuer.address.origin + $0) } ?? issuer.address
        let found: Result<DiscoveredIssuer, IssuerError>
        do throws(IssuerError) {
            found = .success(try await service.discover(target))
        } catch {
            found = .failure(error)
        }
        await transport.shutdown()
        return found
    }

    @Test(arguments: [
        ["grace=0"], ["path=\"/\""], ["path=\"/o\""], ["documents=[\"openid\"]"], ["documents=[\"oauth\"]"],
        ["path=\"/o\"", "documents=[\"oauth\"]"],
    ])
    func anIssuerIsFound(_ options: [String]) async throws {
        let found = try await discover(options).get()
        #expect(found.resource == nil && found.metadata.speaksOpenID && found.metadata.namesIssuerInRedirect)
    }

    @Test func theTwoDocumentsAreOne() async throws {
        let options = [
            #"openid_metadata={"revocation_endpoint":null,"registration_endpoint":null}"#,
            #"oauth_metadata={"pushed_authorization_request_endpoint":null}"#,
        ]
        let metadata = try await discover(options).get().metadata
        #expect(metadata.revocationEndpoint != nil && metadata.registrationEndpoint != nil)
        #expect(metadata.pushedAuthorizationRequestEndpoint != nil)
    }

    /// Which one of several is the person's to say.
    @Test func aResourceWithSeveralIssuers() async throws {
        let transport = try Transport()
        let issuer = try await TestIssuer(transport, [])
        let service = OAuthService(transport: transport, now: { Date() })
        let own = try #require(Issuer(issuer.address.text))
        try await issuer.control(#"{"set":{"other_issuers":["https://moss.example"]}}"#)
        let api = try WebAddress(issuer.address.origin + "/api")
        let moss = try #require(Issuer("https://moss.example"))
        await #expect(throws: IssuerError.several([moss, own], of: api)) {
            try await service.discover(api, issuer: nil)
        }
        let found = try await service.discover(api, issuer: own)
        #expect(found.metadata.issuer == own && found.resource?.text == api.text)
        await #expect(throws: IssuerError.self) {
            try await service.discover(api, issuer: Issuer("https://other.example"))
        }
        await transport.shutdown()
    }

    @Test func aResourceNamesItsIssuer() async throws {
        let found = try await discover(["path=\"/o\""], path: "/api").get()
        #expect(found.resource?.text.hasSuffix("/api") == true && found.metadata.issuer.text.hasSuffix("/o"))
    }

    @Test(arguments: [
        (#"{"set":{"metadata":{"issuer":"https://other.example"}}}"#, "contradiction"),
        (#"{"set":{"oauth_metadata":{"token_endpoint":"https://other.example/token"}}}"#, "contradiction"),
        (#"{"set":{"metadata":{"token_endpoint":"ftp://other.example/"}}}"#, "contradiction"),
        (#"{"set":{"metadata":{"token_endpoint":"http://other.example/"}}}"#, "contradiction"),
        (#"{"set":{"metadata":{"token_endpoint":null}}}"#, "unsupported"),
        (#"{"set":{"metadata":{"response_types_supported":["token"]}}}"#, "unsupported"),
        (#"{"set":{"metadata":{"code_challenge_methods_supported":["plain"]}}}"#, "unsupported"),
        (#"{"set":{"documents":[]}}"#, "not found"),
    ])
    func anIssuerThatCannotBeUsed(_ order: String, _ kind: String) async throws {
        guard case .failure(let error) = try await discover(["grace=0"], orders: [order]) else {
            Issue.record("it was taken")
            return
        }
        #expect(Self.kind(error) == kind)
    }

    /// No redirect is followed, and nothing is read that is too large or no JSON.
    @Test(arguments: [
        #""what":"html""#, #""what":"redirect","to":"/o""#, #""what":"huge""#, #""what":"endless""#, #""what":"cut""#,
        #""what":"answer","body":"[]""#,
    ])
    func aDocumentThatIsNone(_ what: String) async throws {
        let orders = ["openid", "oauth"].map { #"{"fault":{"route":"\#($0)","times":-1,\#(what)}}"# }
        guard case .failure(let error) = try await discover(["grace=0"], orders: orders) else {
            Issue.record("it was taken")
            return
        }
        #expect(Self.kind(error) == "not found")
    }

    private static func kind(_ error: IssuerError) -> String {
        switch error {
        case .notFound: "not found"
        case .unreachable: "unreachable"
        case .noAnswer: "no answer"
        case .refused: "refused"
        case .contradiction: "contradiction"
        case .unsupported: "unsupported"
        case .several: "several"
        case .noRegistration, .noRevocation: "missing"
        }
    }

    // MARK: What a service says of itself

    private func describe(
        _ path: String, at place: String? = nil, orders: [String] = []
    ) async throws -> (metadata: ResourceMetadata?, paths: [String]) {
        let transport = try Transport()
        let issuer = try await TestIssuer(transport)
        for order in orders { try await issuer.control(order) }
        let service = OAuthService(transport: transport, now: { Date() })
        let origin = issuer.address.origin
        let found: Result<ResourceDescription, any Error>
        do {
            found = .success(
                try await service.describe(
                    try WebAddress(origin + path),
                    at: try place.map { try WebAddress($0.replacing("ORIGIN", with: origin)) }))
        } catch { found = .failure(error) }
        await transport.shutdown()
        let description = try found.get()
        return (description.metadata, description.tried.map(\.address.path))
    }

    /// By the service's own challenge, by the usual place, or by one above it.
    @Test func aServiceDescribesItself() async throws {
        let own = try #require(try await describe("/api/v1/me").metadata)
        #expect(own.resource.untrusted.hasSuffix("/api") && own.issuers?.count == 1 && own.methods?.count == 1)
        let usual = "/.well-known/oauth-protected-resource"
        // Its 401 names no place: the usual ones are tried, from the longest.
        let silent = #"{"fault":{"route":"api","what":"answer","status":403,"times":-1}}"#
        let above = try await describe("/api/v1/me", orders: [silent])
        #expect(
            above.metadata?.resource.untrusted.hasSuffix("/api") == true
                && above.paths == [usual + "/api/v1/me", usual + "/api/v1"])
        let named = try await describe("/api/x", at: "ORIGIN" + usual + "/api", orders: [silent])
        #expect(named.metadata?.place.path == usual + "/api" && named.paths.isEmpty)
        // What is about another one than this is a neighbour's.
        let neighbour =
            #"{"fault":{"route":"resource","what":"change","with":{"resource":"https://oak.example"},"times":-1}}"#
        #expect(try await describe("/api/v1", orders: [silent, neighbour]).metadata == nil)
        #expect(
            try await describe("/api", orders: [silent, neighbour]).metadata?.resource.untrusted
                == "https://oak.example")
    }

    @Test(arguments: [
        #""what":"answer","status":404"#, #""what":"html""#, #""what":"huge""#, #""what":"redirect","to":"/o""#,
        #""what":"answer","body":"[]""#,
        #""what":"change","with":{"resource":null}"#, #""what":"change","with":{"authorization_servers":"x"}"#,
    ])
    func aServiceThatDescribesNothing(_ what: String) async throws {
        let order = #"{"fault":{"route":"resource","times":-1,\#(what)}}"#
        let page = #"{"fault":{"route":"api","times":-1,"what":"huge"}}"#
        #expect(try await describe("/api", orders: [order, page]).metadata == nil)
        #expect(try await describe("/api", at: "https://oak.example/x").metadata == nil)
    }

    @Test(arguments: [#""what":"answer","status":503"#, #""what":"drop""#, #""what":"answer","status":429"#])
    func aServiceThatCannotBeAsked(_ what: String) async throws {
        let order = #"{"fault":{"route":"resource","times":-1,\#(what)}}"#
        await #expect(throws: IssuerError.self) { try await describe("/api", orders: [order]) }
    }
}
