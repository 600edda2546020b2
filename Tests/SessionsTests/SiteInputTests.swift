import Basics
import Testing

@testable import Sessions
import Verbs

/// What a request says of a site that is wanted.
struct SiteInputTests {
    private func wishes() throws -> [Sites.Wish] {
        [
            try Sites.Wish(rule: "https://api.fern.example/v1"),
            try Sites.Wish(
                rule: "https://api.fern.example", session: "fern", scopes: ["mail", "read"],
                resource: "https://api.fern.example/v1", isOnChallenge: true, realm: "a \"b\"", userName: "token"),
            try Sites.Wish(rule: ".fern.example", realm: "fern"),
        ]
    }

    private func isSame(_ one: Sites.Wish, _ other: Sites.Wish) -> Bool {
        one.rule == other.rule && one.session == other.session && one.scopes == other.scopes
            && one.resource == other.resource && one.isOnChallenge == other.isOnChallenge && one.realm == other.realm
            && one.userName == other.userName
    }

    @Test func bothEndsOfTheSocketMeanTheSame() throws {
        for wish in try wishes() {
            var arguments = VerbArguments()
            try SiteWish(wish).write(to: &arguments)
            #expect(isSame(try SiteWish(arguments).wish, wish))
            arguments = VerbArguments()
            NewSite(wish, proof: .metadata).write(to: &arguments)
            let new = try NewSite(arguments)
            #expect(isSame(new.wish, wish) && new.proof == .metadata)
        }
        var arguments = VerbArguments()
        let match = SiteMatchRequest(url: try WebAddress("https://api.fern.example/me?a=b"), challenge: [])
        try match.write(to: &arguments)
        #expect(try SiteMatchRequest(arguments) == match)
    }

    @Test(arguments: [
        #"{}"#, #"{"rule":"http://fern.example"}"#, #"{"rule":"fern.example/x"}"#,
        #"{"rule":"fern.example","scopes":[]}"#,
        #"{"rule":"fern.example","scopes":["a\"b"]}"#, #"{"rule":"fern.example","resource":"fern"}"#,
        #"{"rule":"https://fern.example","realm":"x"}"#, #"{"rule":"fern.example","realm":""}"#,
        #"{"rule":"fern.example","username":"a b"}"#, #"{"rule":"fern.example","username":"a\nhost=oak"}"#,
        #"{"rule":"fern.example","username":"a:b"}"#, #"{"rule":"fern.example","username":""}"#,
        #"{"rule":"fern.example","proof":"person"}"#,
    ]) func aFaultIsRefused(_ body: String) throws {
        var arguments = VerbArguments()
        arguments.json = Array(body.utf8)
        #expect(throws: Failure.self) { try SiteWish(arguments) }
    }

    @Test(arguments: [
        [:], ["rule": "fern.example"], ["rule": "fern.example", "verified": "administrator"],
        ["rule": "fern.example", "verified": "person", "on_challenge": "perhaps"], ["verified": "person"],
        ["rule": "fern.example", "verified": "person", "username": "a b"],
    ]) func aFaultOfTheQueryIsRefused(_ query: [String: String]) throws {
        var arguments = VerbArguments()
        arguments.query = query
        #expect(throws: Failure.self) { try NewSite(arguments) }
    }
}
