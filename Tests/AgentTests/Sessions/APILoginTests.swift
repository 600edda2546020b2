@testable import Agent
import Basics
import Dialogue
import SessionModel
import Sessions
import Testing
import Verbs

@Suite(.timeLimit(.minutes(2))) struct APILogins {
    private static var request: LoginRequest {
        var request = LoginRequest(.target("fern.example"))
        request.name = SessionName("fern")
        return request
    }

    @Test func theStepsAreTakenInTheAgent() async throws {
        try await APIFixture.with { fixture in
            let sessions = try await fixture.running().sessions
            let (offer, steps) = try await sessions.login(Self.request, patience: .seconds(90))
            #expect(offer == SessionSamples.login.offer)
            guard case .page(let page) = try await steps.accept("http://127.0.0.1:4711/x"),
                case .redirect(nil) = try await steps.take("http://127.0.0.1:4711/x?bad"),
                case .done(let signedIn) = try await steps.take("http://127.0.0.1:4711/x?good")
            else {
                Issue.record("other events")
                return
            }
            #expect(page.text == SessionSamples.page.page && signedIn == SessionSamples.signedIn.signedIn)
            await steps.abandon()
            var request = Self.request
            request.isForDevice = true
            let (_, byCode) = try await sessions.login(request, patience: .seconds(90))
            guard case .code(let card) = try await byCode.accept("") else {
                Issue.record("no code")
                return
            }
            #expect(card == DeviceCard(try #require(SessionSamples.code.device), agreed: offer.hosts))
            #expect(try await byCode.awaitCode() == SessionSamples.signedIn.signedIn)
            #expect(
                fixture.agent.calls.dropFirst() == [
                    #"beginLogin target("fern.example") fern"#,
                    #"acceptLogin l-1 browser(returnURL: "http://127.0.0.1:4711/x")"#,
                    "redirectLogin l-1 http://127.0.0.1:4711/x?bad", "redirectLogin l-1 http://127.0.0.1:4711/x?good",
                    "endLogin l-1", #"beginLogin target("fern.example") fern"#,
                    "acceptLogin l-1 device(seconds: 90.0)", "login l-1 25",
                ])
        }
    }

    @Test func itEndsWhenNobodyDrivesItOn() async throws {
        try await APIFixture.with { fixture in
            let agent = try await fixture.running()
            do { _ = try await agent.sessions.login(Self.request, patience: .seconds(90)) }
            await fixture.agent.hears("endLogin l-1")
        }
    }

    /// What a login is told arrives as it was said.
    @Test(arguments: [LoginRequest.Origin.target("a"), .session("b"), .profile("issuer = \"x\"\n")])
    func aRequestTravelsWhole(_ origin: LoginRequest.Origin) throws {
        var request = LoginRequest(origin)
        (request.name, request.scopes) = (SessionName("fern"), Scopes("openid mail"))
        (request.clientID, request.redirectURI, request.account) = ("c", "http://127.0.0.1/", "mira")
        request.resources = [try #require(ResourceIndicator("https://api.fern.example"))]
        (request.isOffline, request.isFresh, request.maxAge) = (true, true, 60)
        (request.acrValues, request.parameters) = (["x", "y"], ["a=b=c"])
        request.languages = LanguageTags(locale: "de_AT.UTF-8")
        var arguments = VerbArguments()
        try request.write(to: &arguments)
        #expect(try LoginRequest(arguments) == request)
        request = LoginRequest(origin)
        request.isForDevice = true
        try request.write(to: &arguments)
        #expect(try LoginRequest(arguments) == request)
    }

    @Test(arguments: [
        "{}", #"{"target":"a","session":"b"}"#, #"{"target":"a","name":"-"}"#, #"{"target":"a","scopes":["a b"]}"#,
        #"{"target":"a","resources":["x"]}"#, #"{"target":"a","max_age":-1}"#, #"{"target":"a","secret":"x"}"#,
        #"{"target":"a","ui_locales":["de AT"]}"#,
        #"{"target":"a","device":true,"fresh":true}"#, #"{"target":"a","device":true,"acr_values":["x"]}"#,
    ]) func aRequestThatMeansNothing(_ body: String) async throws {
        try await APIFixture.with { fixture in
            let answer = try await fixture.send("POST", "/logins", json: body)
            #expect(answer.status == 400)
            #expect(fixture.agent.calls == [])
        }
    }

    @Test(arguments: [
        "{}", #"{"device":false}"#, #"{"device":true,"return_url":"x"}"#, #"{"return_url":"x","timeout":5}"#,
        #"{"device":true,"timeout":86401}"#, #"{"device":true,"timeout":-1}"#,
    ]) func anAcceptanceThatMeansNothing(_ body: String) async throws {
        try await APIFixture.with { fixture in
            let accepted = try await fixture.send("POST", "/logins/l-1/accept", json: body)
            let waited = try await fixture.send("GET", "/logins/l-1?wait=26")
            #expect([accepted.status, waited.status] == [400, 400])
            #expect(fixture.agent.calls == [])
        }
    }

    @Test func loginsAreForOurOwnProgramAlone() async throws {
        try await APIFixture.with(isOwn: false) { fixture in
            for (method, path) in [
                ("POST", "/logins"), ("POST", "/logins/l-1/accept"), ("POST", "/logins/l-1/redirects"),
                ("GET", "/logins/l-1"), ("DELETE", "/logins/l-1"),
            ] {
                let answer = try await fixture.send(method, path)
                #expect(answer.status == 403)
            }
            #expect(fixture.agent.calls == [])
        }
    }
}
