@testable import Client
@testable import AgentWire
@testable import Agent
import Approvals
import Basics
import Foundation
@testable import LocalSocket
import TestSupport
import Testing

/// A fake agent behind its API on a real socket.
struct APIFixture {
    let agent = FakeAgent()
    let server: SocketServerFixture

    /// - Parameters:
    ///   - isOwn: whether callers are taken for our own program; as they are (they are), when nil.
    ///   - hasTerminal: as above.
    ///   - drain: how long requests in progress are waited for at the end.
    ///   - more: the routes of another job.
    init(
        isOwn: Bool? = nil, hasTerminal: Bool? = nil, drain: Duration = .seconds(30), more: [Route] = []
    ) throws {
        let api = agent.api(more: more)
        server = try SocketServerFixture(limits: .init(drain: drain)) { request, caller in
            let seen = Caller(
                requester: caller.requester, hasTerminal: hasTerminal ?? caller.hasTerminal,
                isOwnProgram: isOwn ?? caller.isOwnProgram, presence: caller.presence)
            return await api.respond(to: request, from: seen)
        }
    }

    /// Runs a test against a fixture that is shut down afterwards.
    static func with<R>(
        isOwn: Bool? = nil, hasTerminal: Bool? = nil, more: [Route] = [], _ body: (APIFixture) async throws -> R
    ) async throws -> R {
        let fixture = try APIFixture(isOwn: isOwn, hasTerminal: hasTerminal, more: more)
        do {
            let result = try await body(fixture)
            try await fixture.end()
            return result
        } catch {
            try await fixture.end()
            throw error
        }
    }

    private func end() async throws {
        await server.shutDown()
        try await server.end()
    }

    func operations(
        mayAsk: Bool = true, prompt: PromptPlace = PromptPlace()
    ) async throws -> Carrier<any ApprovalHost> { try await running(mayAsk: mayAsk, prompt: prompt).approvals }

    func running(mayAsk: Bool = true, prompt: PromptPlace = PromptPlace()) async throws -> RunningAgent {
        let place = server.socket.place
        let found = try await onThread {
            try AgentConnection.find(at: place, home: "/nowhere", vault: { "vault-1" }, mayAsk: mayAsk, prompt: prompt)
        }
        guard case .usable(let agent) = found else { throw NoAgent() }
        return agent
    }

    struct NoAgent: Error {}

    /// One request as another front end sends it.
    func send(
        _ method: String, _ path: String, headers: [(String, String)] = [], body: LocalClient.Body = .none
    ) async throws -> LocalAnswer {
        let client = try server.client()
        return try await onThread { try client.send(method, path, headers: headers, body: body) }
    }

    func send(_ method: String, _ path: String, json: String) async throws -> LocalAnswer {
        try await send(method, path, body: .bytes(Array(json.utf8)))
    }
}

extension LocalAnswer {
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The failure that it tells.
    func failure() throws -> Failure { try JSONForm.decode(FailurePayload.self, from: body).error.failure }
}
