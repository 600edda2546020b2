import Basics
import Foundation
import TestSupport
import Testing

@testable import Web

@Suite(.timeLimit(.minutes(10))) struct LoopbackServerTests {
    private func listen(
        host: String = "127.0.0.1", _ incoming: IncomingRedirects, limits: LoopbackListener.Limits = .init()
    ) async throws -> LoopbackServer {
        try await LoopbackServer(host: host, path: "/callback/1", words: .connection, incoming, limits: limits)
    }

    private func port(_ server: LoopbackServer) throws -> Int {
        try #require(try WebAddress(server.returnURL).port)
    }

    /// Whoever sent something before: the next redirect is our own, and it is answered.
    private func expectOurs(_ server: LoopbackServer, _ incoming: IncomingRedirects, by way: String) async throws {
        let client = try BrowserSocket(to: way, port(server))
        let authority = try WebAddress(server.returnURL).hostForPeople
        client.send("GET /callback/1?code=ours HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
        let redirect = try #require(await incoming.next())
        #expect(redirect.address == server.returnURL + "?code=ours")
        await redirect.answer(.accepted)
        #expect(try await onThread { client.line(within: 30) } == "HTTP/1.1 200 OK")
    }

    @Test(arguments: [("127.0.0.1", "127.0.0.1"), ("localhost", "::ffff:127.0.0.1"), ("[::1]", "::1")])
    func aProgramOfThisUserIsAnswered(_ host: String, _ way: String) async throws {
        let incoming = IncomingRedirects(minutes: 1)
        let server = try await listen(host: host, incoming)
        try await expectOurs(server, incoming, by: way)
        await server.close()
    }

    enum Manner: String, CaseIterable {
        case waits, leaves, resets
        case waitsOverIPv6
    }

    /// Also one that goes as soon as it has sent its request, when its socket no longer tells whose it was.
    @Test(arguments: Manner.allCases)
    func anotherUserIsNotAnsweredAndDoesNotEndTheWait(_ manner: Manner) async throws {
        let program = """
            use IO::Socket::IP; use Socket;
            $SIG{PIPE} = 'IGNORE';
            my ($port, $manner) = @ARGV;
            my $host = $manner eq 'waitsOverIPv6' ? '::ffff:127.0.0.1' : '127.0.0.1';
            my $client = IO::Socket::IP->new(PeerHost => $host, PeerPort => $port) or die;
            setsockopt($client, SOL_SOCKET, SO_LINGER, pack('ii', 1, 0)) if $manner eq 'resets';
            print $client "GET /callback/1?code=theirs HTTP/1.1\\r\\nHost: 127.0.0.1:$port\\r\\n\\r\\n"; $client->flush;
            my $line = $manner =~ /waits/ ? <$client> : undef;
            close($client);
            print defined $line ? $line : "closed", "\\n";
            """
        // A busy machine takes seconds to become another user.
        let incoming = IncomingRedirects(minutes: 10)
        let server = try await listen(incoming)
        let port = try port(server)
        for _ in 1...5 {
            let answer = try await onThread {
                try PerlProgram(program, String(port), manner.rawValue, as: .another).line()
            }
            #expect(answer == "closed")
        }
        try await expectOurs(server, incoming, by: "127.0.0.1")
        await server.close()
    }

    @Test func whoSaysNothingOrDoesNotFinishIsClosed() async throws {
        let incoming = IncomingRedirects(minutes: 10)
        let server = try await listen(incoming, limits: .init(idleness: .seconds(1)))
        for start in ["", "GET /callback/1 HTTP/1.1\r\nHo"] {
            let client = try BrowserSocket(to: "127.0.0.1", port(server))
            client.send(start)
            #expect(try await onThread { client.line(within: 240) } == "")
        }
        try await expectOurs(server, incoming, by: "127.0.0.1")
        await server.close()
    }

    @Test func manyAtOnceAreNotTaken() async throws {
        let incoming = IncomingRedirects(minutes: 1)
        let server = try await listen(incoming, limits: .init(connections: 2, idleness: .seconds(3600)))
        let port = try port(server)
        // As many may be taken at a time as the event loop meets.
        var silent = try (1...40).map { _ in try BrowserSocket(to: "127.0.0.1", port) }
        let client = try BrowserSocket(to: "127.0.0.1", port)
        client.send("GET /elsewhere HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        #expect(try await onThread { client.line(within: 1) } == nil)
        silent = []
        #expect(try await onThread { client.line(within: 30) } == "HTTP/1.1 404 Not Found")
        #expect(silent.isEmpty)
        await server.close()
    }
}
