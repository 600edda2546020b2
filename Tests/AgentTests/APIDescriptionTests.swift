@testable import AgentWire
@testable import Agent
import Basics
import Foundation
import Keys
@testable import LocalSocket
import Testing
import Verbs

/// The OpenAPI file says what is served, no more and no less.
@Suite(.timeLimit(.minutes(2))) struct APIDescription {
    /// One good request for every operation.
    static let requests: [String: (path: String, body: String?)] = [
        "handshake": ("/agent", nil),
        "status": ("/status", nil),
        "unlock": ("/unlock", "271828"),
        "lock": ("/lock", nil),
        "use": ("/use", nil),
        "connections": ("/connections", nil),
        "rename": ("/connections/fernbank", #"{"name":"oakbank"}"#),
        "revoke": ("/connections/fernbank?local_only=true", nil),
        "prove": ("/connections/fernbank/prove", nil),
        "pending": ("/authorizations?connection=fernbank", nil),
        "authorization": ("/authorizations/fernbank:77?abbreviated=true", nil),
        "approve": (
            "/authorizations/fernbank:77/approve?fingerprint=\(APISamples.hex)&position=1,2&waits=false", "271828"
        ),
        "deny": ("/authorizations/fernbank:77/deny?fingerprint=\(APISamples.hex)&position=1,2&waits=false", nil),
        "history": ("/history?connection=fernbank&since=2030-01-01T00:00:00Z&limit=3&verify=true", nil),
        "consents": ("/consents?connection=fernbank", nil),
        "revokeConsent": ("/consents/fernbank:5", nil),
        "candidates": ("/actions/candidates", #"{"link":"l"}"#),
        "claim": ("/actions", #"{"link":"l","connection":"fernbank"}"#),
        "beginEnrollment": ("/enrollments", #"{"link":"l","name":"oakbank","while_connected":false}"#),
        "accept": ("/enrollments/e-1/accept", #"{"return_url":"http://127.0.0.1:4711/x"}"#),
        "redirect": ("/enrollments/e-1/redirects", #"{"address":"x?bad"}"#),
        "endEnrollment": ("/enrollments/e-1", nil),
        "sessions": ("/sessions", nil),
        "session": ("/sessions/fern?refresh=true", nil),
        "renameSession": ("/sessions/fern", #"{"name":"oak"}"#),
        "signOut": ("/sessions/fern?local_only=true&browser=true", nil),
        "beginLogin": (
            "/logins",
            #"{"target":"https://fern.example","name":"fern","client_id":"c","redirect_uri":"http://127.0.0.1/","scopes":["openid"],"resources":["https://api.fern.example"],"account":"mira","offline":true,"fresh":true,"max_age":60,"acr_values":["x"],"parameters":["hd=x"],"device":false}"#
        ),
        "acceptLogin": ("/logins/l-1/accept", #"{"return_url":"http://127.0.0.1:4711/x"}"#),
        "redirectLogin": ("/logins/l-1/redirects", #"{"address":"x?good"}"#),
        "login": ("/logins/l-1?wait=25", nil),
        "endLogin": ("/logins/l-1", nil),
        "sessionHistory": ("/history/sessions?since=2030-01-01T00:00:00Z&limit=5&verify=true", nil),
        "setSignOut": ("/sessions/fern/sign-out?until=18:00&keep=false", "271828"),
        "token": (
            "/tokens",
            #"{"target":"fern","scopes":["mail"],"resources":[],"kind":"access","min_ttl":5,"rejected":"0123456789abcdef","wait":3,"name":"Backup"}"#
        ),
        "headers": (
            "/headers",
            #"{"url":"https://api.fern.example/v1","method":"PROPFIND","challenge":["Bearer"],"password":true,"name":"B"}"#
        ),
        "ready": ("/ready", #"{"pid":4711,"version":"0.2.0","target":"fern"}"#),
        "sites": ("/sites", nil),
        "addSite": (
            "/sites?rule=https://api.fern.example&session=fern&scopes=mail&realm=fern&on_challenge=true&verified=person",
            "271828"
        ),
        "removeSite": ("/sites/3f9a1c22", nil),
        "matchSite": ("/sites/match", #"{"url":"https://api.fern.example/me","challenge":["Bearer"]}"#),
        "checkSites": ("/sites/check", #"{"site":"3f9a1c22"}"#),
        "siteOffer": (
            "/sites/offers",
            #"""
            {"rule":"https://api.fern.example","session":"fern","scopes":["mail"],"resource":"https://api.fern.example",
            "on_challenge":true,"username":"token"}
            """#
        ),
        "grants": ("/grants", nil),
        "grant": (
            "/grants?program=unit:backup.service&session=fern&kinds=access%20id&when=unlocked&seconds=60", "271828"
        ),
        "revokeGrant": ("/grants/3f9a1c22?cut=true", nil),
        "revokeOwn": ("/grants/own", nil),
        "requests": ("/requests", nil),
        "allow": ("/requests/77aa/allow?when=asked&session=fern", "271828"),
        "refuse": ("/requests/77aa/refuse", nil),
    ]

    private static var verbs: [VerbRules] { FakeAgent().routes.map(\.rules) }

    @Test func everyVerbIsAnOperationAndNothingElseIs() throws {
        let described = try OpenAPIFile().operations()
        #expect(described.map(\.id).sorted() == Self.verbs.map(\.name).sorted())
        #expect(Set(described.map(\.id)).count == described.count)
        let tried = Set(Self.requests.keys).union(["events", "giveUp"])
        #expect(Set(described.map(\.id)) == tried)
    }

    @Test(arguments: verbs.map(\.name)) func aVerbIsAsItIsDescribed(_ name: String) throws {
        let file = try OpenAPIFile()
        let verb = try #require(Self.verbs.first { $0.name == name })
        let operation = try #require(try file.operations().first { $0.id == name })
        #expect(operation.route == "\(verb.method.rawValue) \(verb.path.text)")
        #expect(operation.names(in: "path") == Set([verb.path.nameLabel].compactMap(\.self)))
        #expect(operation.names(in: "query") == Set(verb.form.queryNames))
        let hasPIN = verb.pin != .none
        #expect(operation.names(in: "header").contains("Countersign-PIN-Source") == hasPIN)
        #expect(file.bodyTypes(of: operation) == Self.bodyTypes(of: verb))
        if case .json(let names) = verb.form { #expect(file.memberNames(of: operation) == Set(names)) }
        #expect(operation.content["x-callers"]?.string == Self.word(for: verb.callers))
        #expect(operation.content["x-ends-with-caller"] == .bool(verb.endsWithCaller))
        let answers = try #require(operation.content["responses"]?.object)
        let done = verb.answer == .nothing ? "204" : "200"
        // A program goes on without headers where nothing fits.
        let without = name == "headers" ? ["204"] : []
        #expect(answers.keys.filter { $0.hasPrefix("2") }.sorted() == [done] + without)
        #expect(
            Set(file.resolve(answers[done] ?? .null)["content"]?.object?.keys ?? [:].keys)
                == Self.types(of: verb.answer))
        // Wrong PINs, and bodies that are too large.
        #expect((answers["401"] != nil) == hasPIN)
        #expect((answers["413"] != nil) == !Self.bodyTypes(of: verb).isEmpty)
        #expect(answers["423"] != nil)
        // A decision that is lost is told as one.
        if verb.effect == .decision { #expect(answers["504"] != nil) }
    }

    private static func word(for callers: VerbRules.Callers) -> String {
        switch callers {
        case .all: "all"
        case .ownProgram: "countersign"
        }
    }

    private static func bodyTypes(of verb: VerbRules) -> Set<String> {
        switch (verb.pin, verb.form) {
        case (.none, .json): ["application/json"]
        case (.none, _): []
        case (.needed, _), (.ifNeeded, _): ["application/octet-stream"]
        }
    }

    private static func types(of answer: VerbRules.Answer) -> Set<String> {
        switch answer {
        case .nothing: []
        case .json: ["application/json"]
        case .lines: ["application/json", "application/jsonl"]
        case .events: ["text/event-stream"]
        }
    }

    /// A body without a member is taken unless the file requires it.
    @Test(arguments: verbs.filter { !bodyTypes(of: $0).isDisjoint(with: ["application/json"]) }.map(\.name))
    func theRequiredMembersAreRequired(_ id: String) async throws {
        let file = try OpenAPIFile()
        let operation = try #require(try file.operations().first { $0.id == id })
        let schema = try #require(operation.content["requestBody"]?["content"]?["application/json"]?["schema"])
        let request = try #require(Self.requests[id])
        let body = try #require(request.body)
        let members = try #require(try JSONValue(body.utf8).object)
        for name in members.keys {
            try await APIFixture.with { fixture in
                if id == "accept" || id == "redirect" {
                    _ = try await fixture.send("POST", "/enrollments", json: #"{"link":"l"}"#)
                }
                var rest = members
                rest[name] = nil
                let body = LocalClient.Body.bytes(try JSONValue.object(rest).encoded())
                let answer = try await fixture.send(operation.method, request.path, body: body)
                let isDescribed = file.faults(.object(rest), schema).isEmpty
                #expect((answer.status == 200) == isDescribed, "\(id) without \(name): \(answer.status)")
                #expect(isDescribed || answer.status == 400)
            }
        }
    }

    /// Locked, an agent answers those verbs alone that are allowed in any state.
    @Test(arguments: requests.keys.sorted()) func theLockHoldsForTheVerbsThatSaySo(_ id: String) async throws {
        let verb = try #require(Self.verbs.first { $0.name == id })
        let request = try #require(Self.requests[id])
        let body = request.body.map { LocalClient.Body.bytes(Array($0.utf8)) } ?? .none
        try await APIFixture.with { fixture in
            fixture.agent.lock(afterLooks: 0)
            let answer = try await fixture.send(verb.method.rawValue, request.path, body: body)
            #expect((answer.status == 423) == (verb.lock != .any), "\(answer.status)")
            if verb.lock != .any { #expect(fixture.agent.calls == []) }
        }
    }

    @Test func everyHeaderThatIsReadIsDescribed() throws {
        let terminal = try PseudoTerminal()
        let place = PromptPlace(
            environment: ["DISPLAY": ":0", "WAYLAND_DISPLAY": "w", "XAUTHORITY": "/x", "TERM": "t"], tty: terminal.name)
        let sent = place.headers(mayAsk: false).map(\.0) + [PINSource.file.header.0]
        for operation in try OpenAPIFile().operations() where ["unlock", "approve"].contains(operation.id) {
            #expect(operation.names(in: "header") == Set(sent))
        }
    }

    @Test(arguments: requests.keys.sorted())
    func answersAreAsTheyAreDescribed(_ id: String) async throws {
        let file = try OpenAPIFile()
        let operation = try #require(try file.operations().first { $0.id == id })
        let request = try #require(Self.requests[id])
        let body = request.body.map { LocalClient.Body.bytes(Array($0.utf8)) } ?? .none
        let verb = try #require(Self.verbs.first { $0.name == id })
        if verb.pin == .none, let text = request.body {
            let schema = try #require(operation.content["requestBody"]?["content"]?["application/json"]?["schema"])
            #expect(file.faults(try JSONValue(text.utf8), schema) == [])
        }
        try await APIFixture.with { fixture in
            if id == "accept" || id == "redirect" {
                _ = try await fixture.send("POST", "/enrollments", json: #"{"link":"l"}"#)
            }
            let answer = try await fixture.send(operation.method, request.path, body: body)
            try check(answer, operation, file, isDone: true)
            fixture.agent.fail(with: Failure(.locked, "locked", hint: nil))
            // Ending what is not there is no failure.
            guard id != "endEnrollment", id != "endLogin" else { return }
            let failure = try await fixture.send(operation.method, request.path, body: body)
            #expect(failure.status == 423)
            try check(failure, operation, file, isDone: false)
        }
    }

    private func check(
        _ answer: LocalAnswer, _ operation: OpenAPIFile.Operation, _ file: OpenAPIFile, isDone: Bool
    ) throws {
        #expect((200..<300).contains(answer.status) == isDone, "\(operation.route) \(answer.status) \(answer.text)")
        // Some hold a token.
        #expect(answer["cache-control"] == "no-store")
        guard let schema = try file.schema(of: operation, status: answer.status) else {
            #expect(answer.status == 204)
            #expect(answer.body.isEmpty)
            return
        }
        #expect(answer["content-type"] == "application/json")
        #expect(file.faults(try JSONValue(answer.body), schema) == [])
    }

    @Test func everyEventIsDescribed() throws {
        let file = try OpenAPIFile()
        let operation = try #require(try file.operations().first { $0.id == "events" })
        let schema = try #require(try file.schema(of: operation, status: 200))
        let events = APISamples.events.map(AgentEvent.approvals) + SessionSamples.events.map(AgentEvent.sessions)
        for event in events {
            let bytes = try JSONForm.encode(event)
            #expect(file.faults(try JSONValue(bytes), schema) == [])
            let again = try JSONForm.decode(AgentEvent.self, from: bytes)
            #expect(again.topic == event.topic)
            #expect(try JSONForm.encode(again) == bytes)
        }
        let described = try #require(file.resolve(schema)["oneOf"]?.array).flatMap { form in
            let rule = form["properties"]?["event"]
            return rule?["enum"]?.array ?? [rule?["const"] ?? .null]
        }
        #expect(Set(described.compactMap(\.string)) == Set(events.map(\.name)))
    }

    @Test func givingUpIsDescribed() async throws {
        let file = try OpenAPIFile()
        let operation = try #require(try file.operations().first { $0.id == "giveUp" })
        try await APIFixture.with { fixture in
            fixture.agent.waitForWord()
            let path = "/authorizations/fernbank:77"
            async let decision = fixture.send("POST", "\(path)/deny?fingerprint=\(APISamples.hex)")
            await fixture.agent.hears("waiting fernbank:77")
            try check(try await fixture.send("DELETE", path + "/wait"), operation, file, isDone: true)
            #expect(try await decision.status == 200)
            try check(try await fixture.send("DELETE", path + "/wait"), operation, file, isDone: false)
        }
    }

    @Test func everyFailureIsDescribed() async throws {
        let file = try OpenAPIFile()
        let responses = try #require(file.root["components"]?["responses"]?.object)
        func check(_ answer: LocalAnswer) throws {
            let response = try #require(responses["Failure\(answer.status)"], "\(answer.status)")
            let schema = try #require(response["content"]?["application/json"]?["schema"])
            #expect(file.faults(try JSONValue(answer.body), schema) == [])
            for name in (response["headers"]?.object ?? [:]).keys { #expect(answer[name.lowercased()] != nil) }
        }
        try await APIFixture.with(isOwn: false) { fixture in
            try check(try await fixture.send("GET", "/nothing"))
            try check(try await fixture.send("PUT", "/status"))
            try check(try await fixture.send("POST", "/unlock", json: "271828"))
            try check(try await fixture.send("POST", "/actions", json: String(repeating: " ", count: 65537)))
            for (kind, _) in APIFailures.kinds {
                fixture.agent.fail(with: Failure(kind, "words", hint: kind == .usage ? "do this" : nil))
                try check(try await fixture.send("GET", "/connections"))
            }
            fixture.agent.fail(with: PINError.wrong(triesLeft: 7))
            try check(try await fixture.send("POST", "/unlock"))
        }
        let kinds = Set(
            file.resolve(.object(["$ref": .string("#/components/schemas/Kind")]))["enum"]?.array?.compactMap(\.string)
                ?? [])
        #expect(kinds == Set(APIFailures.kinds.map(\.0.rawValue)))
    }

    @Test(arguments: [
        (#""tries_left":8"#, #""tries_left":10"#), (#""tries_left":8"#, #""tries_left":8.5"#),
        (#""tries_left":8"#, #""tries_left":"8""#), (#","tries_left":8"#, ""), (#""pin_set":true"#, #""pin_set":1"#),
        (#""pin_set":true"#, #""pin_set":true,"odd":0"#), (#""version":"1.0.0""#, #""version":[]"#),
        (#""blocked_until":null"#, #""blocked_until":"soon""#),
    ])
    func theCheckSeesAFault(_ part: String, _ fault: String) throws {
        let file = try OpenAPIFile()
        let schema = JSONValue.object(["$ref": .string("#/components/schemas/Status")])
        let good = try json(APISamples.status)
        #expect(file.faults(try JSONValue(good.utf8), schema) == [])
        let bad = good.replacing(part, with: fault)
        #expect(bad != good)
        #expect(file.faults(try JSONValue(bad.utf8), schema) != [])
    }
}
