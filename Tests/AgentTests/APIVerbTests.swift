@testable import Client
import Approvals
import Basics
import Hummingbird
@testable import LocalSocket
import Testing
@testable import Agent
import Verbs

/// Another job lists verbs of its own: the socket's client and the server know them by their description alone.
@Suite(.timeLimit(.minutes(2))) struct APIVerbs {
    struct Order: JSONInput, Equatable {
        var scopes: [String]
        var validFor: Int?

        enum CodingKeys: String, CodingKey, CaseIterable { case scopes, validFor }
    }

    struct Ticket: Codable, Equatable {
        var text: String
    }

    /// The names of a query that lets a ticket be refused.
    struct Reason: QueryInput {
        var text: String?
        var isLoud: Bool

        enum Name: String, CaseIterable, Sendable {
            case text
            case isLoud = "is_loud"
        }

        init(text: String?, isLoud: Bool) {
            self.text = text
            self.isLoud = isLoud
        }

        init(_ query: VerbQuery<Name>) throws {
            self.init(text: query[.text], isLoud: try query.flag(.isLoud) ?? false)
        }

        func write(to query: inout VerbQuery<Name>) {
            query[.text] = text
            query.set(.isLoud, to: isLoud)
        }
    }

    /// Whoever carries out the verbs of this job.
    struct Stalls {}

    struct NoSuch: Error {}

    static let order = Verb<Stalls, Order, Ticket>(
        "order", .post, "/stalls/{name}/tickets", effect: .change, while: .any, missing: { _ in NoSuch() }
    ) { _, call in
        let order = call.input
        return Ticket(text: "\(call.name) \(order.scopes.joined(separator: "+")) \(order.validFor ?? 0)")
    }
    static let refuse = Verb<Stalls, Reason, NoOutput>(
        "refuse", .delete, "/stalls/{name}", while: .open, callers: .ownProgram
    ) { _, call in
        guard call.input.isLoud else { throw Failure(.notFound, "\(call.name): \(call.input.text ?? "-")") }
        return NoOutput()
    }

    static let routes = [order.untyped, refuse.untyped].map { Route($0) { _ in Stalls() } }

    private static func client(_ fixture: APIFixture) -> AgentClient {
        AgentClient(of: fixture.server.socket.place.path, headers: [])
    }

    @Test func anotherJobsVerbsAreAskedForAndServed() async throws {
        try await APIFixture.with(more: Self.routes) { fixture in
            let client = Self.client(fixture)
            let order = Order(scopes: ["read", "wr\"ite"], validFor: 5)
            #expect(try await client.perform(Self.order, on: "a/ b", order) == Ticket(text: "a/ b read+wr\"ite 5"))
            _ = try await client.perform(Self.refuse, on: "fern", Reason(text: nil, isLoud: true))
            let told = await #expect(throws: Failure.self) {
                _ = try await client.perform(Self.refuse, on: "fern", Reason(text: "a=b&c", isLoud: false))
            }
            #expect(told?.message == "fern: a=b&c")
            #expect(try await fixture.operations().connections() == APISamples.connections)
        }
    }

    @Test(arguments: [
        #"{"scopes":["a"],"validFor":5}"#, #"{"valid_for":5}"#, #"{"scopes":["a"],"scopes":["b"]}"#, "[]", "",
    ]) func whatAnotherJobDoesNotKnowIsRefused(_ body: String) async throws {
        try await APIFixture.with(more: Self.routes) { fixture in
            let answer = try await fixture.send("POST", "/stalls/fern/tickets", json: body)
            #expect(answer.status == 400)
            #expect(try answer.failure().kind == .usage)
        }
    }

    @Test func aVerbOfOurOwnProgramIsForNobodyElse() async throws {
        try await APIFixture.with(isOwn: false, more: Self.routes) { fixture in
            let answer = try await fixture.send("DELETE", "/stalls/fern?is_loud=true")
            #expect(answer.status == 403)
            #expect(try await fixture.send("POST", "/stalls/fern/tickets", json: #"{"scopes":[]}"#).status == 200)
        }
    }

    @Test func aVerbThatNeedsAnOpenAgentIsRefusedWhileLocked() async throws {
        try await APIFixture.with(more: Self.routes) { fixture in
            fixture.agent.lock(afterLooks: 0)
            let broken = try await fixture.send("DELETE", "/stalls/fern?is_loud=perhaps")
            #expect(broken.status == 400, "what is wrong with a request is told all the same")
            let good = try await fixture.send("DELETE", "/stalls/fern?is_loud=true")
            #expect(good.status == 423)
            let inAnyState = try await fixture.send("POST", "/stalls/fern/tickets", json: #"{"scopes":[]}"#)
            #expect(inAnyState.status == 200)
        }
    }

    @Test(arguments: ["", String(repeating: "x", count: 8193)])
    func aNameThatNoPathCanHoldIsNotSent(_ name: String) async throws {
        try await APIFixture.with(more: Self.routes) { fixture in
            _ = await #expect(throws: NoSuch.self) {
                _ = try await Self.client(fixture).perform(Self.order, on: name, Order(scopes: []))
            }
        }
    }
}
