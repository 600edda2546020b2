@testable import Agent
import Basics
import Foundation
@testable import LocalSocket
import Testing

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
    ]

    @Test func whatIsServedIsDescribedAndNothingElse() throws {
        let described = try OpenAPIFile().operations()
        #expect(
            described.map(\.route).sorted() == AgentAPI.routes.map { "\($0.method.rawValue) \($0.path)" }.sorted())
        for route in AgentAPI.routes {
            let operation = try #require(described.first { $0.route == "\(route.method.rawValue) \(route.path)" })
            #expect(operation.names(in: "query") == route.query, "\(operation.route)")
            let inPath = Set(
                route.path.split(separator: "/").filter { $0.hasPrefix("{") }.map { $0.dropFirst().dropLast() })
            #expect(operation.names(in: "path") == Set(inPath.map(String.init)), "\(operation.route)")
            let body: Route.Body =
                switch operation.content["requestBody"]?["content"]?.object?.keys.first {
                case nil: .none
                case "application/json": .json
                default: .pin
                }
            #expect(body == route.body, "\(operation.route)")
        }
        #expect(Set(described.map(\.id)).count == described.count)
        let tried = Set(Self.requests.keys).union(["events", "giveUp"])
        #expect(Set(described.map(\.id)) == tried)
    }

    @Test func everyHeaderThatIsReadIsDescribed() throws {
        let terminal = try PseudoTerminal()
        let place = PromptPlace(
            environment: ["DISPLAY": ":0", "WAYLAND_DISPLAY": "w", "XAUTHORITY": "/x", "TERM": "t"], tty: terminal.name)
        let sent = CallerContext.headers(mayAsk: false, prompt: place).map(\.0) + [PINSource.file.header.0]
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
        if id != "unlock", id != "approve", let text = request.body {
            let schema = try #require(operation.content["requestBody"]?["content"]?["application/json"]?["schema"])
            #expect(file.faults(try JSONValue(text.utf8), schema) == [])
        }
        try await APIHouse.with { house in
            if id == "accept" || id == "redirect" {
                _ = try await house.send("POST", "/enrollments", json: #"{"link":"l"}"#)
            }
            let answer = try await house.send(operation.method, request.path, body: body)
            try check(answer, operation, file, isDone: true)
            house.agent.fail(with: Failure(.locked, "locked", hint: nil))
            // Ending what is not there is no failure.
            guard id != "endEnrollment" else { return }
            let failure = try await house.send(operation.method, request.path, body: body)
            #expect(failure.status == 423)
            try check(failure, operation, file, isDone: false)
        }
    }

    private func check(
        _ answer: LocalAnswer, _ operation: OpenAPIFile.Operation, _ file: OpenAPIFile, isDone: Bool
    ) throws {
        #expect((200..<300).contains(answer.status) == isDone, "\(operation.route) \(answer.status) \(answer.text)")
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
        for event in APISamples.events {
            #expect(file.faults(try JSONValue(try JSONForm.encode(event)), schema) == [])
        }
        let described = try #require(file.resolve(schema)["oneOf"]?.array).flatMap { form in
            let rule = form["properties"]?["event"]
            return rule?["enum"]?.array ?? [rule?["const"] ?? .null]
        }
        #expect(Set(described.compactMap(\.string)) == Set(APISamples.events.map(\.name.rawValue)))
    }

    @Test func givingUpIsDescribed() async throws {
        let file = try OpenAPIFile()
        let operation = try #require(try file.operations().first { $0.id == "giveUp" })
        try await APIHouse.with { house in
            house.agent.waitForWord()
            let path = "/authorizations/fernbank:77"
            async let decision = house.send("POST", "\(path)/deny?fingerprint=\(APISamples.hex)")
            await house.agent.hears("waiting fernbank:77")
            try check(try await house.send("DELETE", path + "/wait"), operation, file, isDone: true)
            #expect(try await decision.status == 200)
            try check(try await house.send("DELETE", path + "/wait"), operation, file, isDone: false)
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
        try await APIHouse.with(isOwn: false) { house in
            try check(try await house.send("GET", "/nothing"))
            try check(try await house.send("PUT", "/status"))
            try check(try await house.send("POST", "/unlock", json: "271828"))
            try check(try await house.send("POST", "/actions", json: String(repeating: " ", count: 65537)))
            for (kind, _) in APIFailures.kinds {
                house.agent.fail(with: Failure(kind, "words", hint: kind == .usage ? "do this" : nil))
                try check(try await house.send("GET", "/connections"))
            }
            house.agent.fail(with: PINError(.wrong, triesLeft: 7))
            try check(try await house.send("POST", "/unlock"))
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
