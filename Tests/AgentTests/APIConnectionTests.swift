@testable import Client
@testable import AgentWire
@testable import Agent
import Basics
import Glibc
@testable import LocalSocket
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct APIConnections {
    @Test func noAgentIsFoundWhereNobodyListens() async throws {
        let home = try SocketHome()
        #expect(try AgentConnection.find(at: home.place(), home: "/nowhere", vault: { nil }) == nil)
        try home.place().makeDirectory()
        close(try SocketHome.listener(at: home.place().path))
        #expect(try AgentConnection.find(at: home.place(), home: "/nowhere", vault: { nil }) == nil)
    }

    @Test func anAgentOfThisVersionAndHomeIsUsable() async throws {
        try await APIFixture.with { fixture in
            let place = fixture.server.socket.place
            let found = try await onThread {
                try AgentConnection.find(at: place, home: "/nowhere", vault: { "vault-1" })
            }
            guard case .usable(let agent) = found else {
                Issue.record("not usable")
                return
            }
            #expect(
                agent.handshake
                    == Handshake(
                        version: ProductVersion.text, vault: "vault-1", pid: 4711, state: .open, waiting: 2,
                        sessions: .atHand))
            #expect(try await agent.approvals.connections() == APISamples.connections)
        }
    }

    @Test func anAgentOfAnotherVersionIsOutdated() async throws {
        try await APIFixture.with { fixture in
            let place = fixture.server.socket.place
            let found = try await onThread {
                try AgentConnection.find(at: place, home: "/nowhere", vault: { "vault-1" }, version: "99.0.0")
            }
            guard case .outdated(let agent) = found else {
                Issue.record("not outdated")
                return
            }
            #expect(agent.handshake.pid == 4711)
            #expect(agent.handshake.version == ProductVersion.text)
            try await agent.lock()
        }
    }

    @Test func theHolderOfTheHomesLockIsUsableAndTheVaultNotLookedAt() async throws {
        try await APIFixture.with { fixture in
            let home = try SocketHome()
            let lock = try AgentLock(AgentLock.file(inHome: home.path))
            defer { withExtendedLifetime(lock) {} }
            let place = fixture.server.socket.place
            struct LookedAt: Error {}
            @Sendable func find() throws -> AgentConnection? {
                try AgentConnection.find(at: place, home: home.path, vault: { throw LookedAt() })
            }
            fixture.agent.state.withLock { $0.pid = getpid() }
            guard case .usable = try await onThread({ try find() }) else {
                Issue.record("not usable")
                return
            }
            fixture.agent.state.withLock { $0.pid = 4711 }
            await #expect(throws: LookedAt.self) { try await onThread { _ = try find() } }
        }
    }

    @Test(arguments: ["vault-2", nil])
    func anAgentOfAnotherHomeIsForeignWhateverItsVersion(_ vault: String?) async throws {
        try await APIFixture.with { fixture in
            let place = fixture.server.socket.place
            for version in [ProductVersion.text, "99.0.0"] {
                let found = try await onThread {
                    try AgentConnection.find(at: place, home: "/nowhere", vault: { vault }, version: version)
                }
                guard case .foreign = found else {
                    Issue.record("not foreign")
                    return
                }
            }
        }
    }

    @Test(arguments: [
        "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}",
        "SSH-2.0-OpenSSH_9.2\r\n\r\n",
    ])
    func whatIsNoAgentIsForeign(_ answer: String) async throws {
        let home = try SocketHome()
        let place = try home.place()
        try place.makeDirectory()
        let stub = try SocketServerStub(at: place.path, .init(answers: [answer]))
        let found = try await onThread { try AgentConnection.find(at: place, home: "/nowhere", vault: { nil }) }
        guard case .foreign = found else {
            Issue.record("not foreign")
            return
        }
        #expect(stub.requests.count == 1)
    }

    @Test(arguments: ["", "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n"])
    func whoDoesNotSayWhoItIsMayBeAnAgent(_ answer: String) async throws {
        let home = try SocketHome()
        let place = try home.place()
        try place.makeDirectory()
        let stub = try SocketServerStub(at: place.path, .init(answers: [answer]))
        let found = try await onThread { try AgentConnection.find(at: place, home: "/nowhere", vault: { nil }) }
        guard case .silent = found else {
            Issue.record("not silent")
            return
        }
        #expect(stub.requests.count == 1)
    }
}
