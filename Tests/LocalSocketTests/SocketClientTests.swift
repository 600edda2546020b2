import Foundation
@testable import LocalSocket
import Cryptography
import TestSupport
import Testing

@Suite struct LocalClients {
    let home: SocketHome
    let path: String

    init() throws {
        home = try SocketHome()
        path = home.path + "/s"
    }

    private static let hello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: b\r\n\r\nhello"

    @Test func whereNobodyListensThereIsNoClient() throws {
        #expect(try LocalClient(connectingTo: path) == nil)
        #expect(try LocalClient(connectingTo: path + "/below/nothing") == nil)
        close(try SocketHome.listener(at: path))
        #expect(try LocalClient(connectingTo: path) == nil)
        let long = "/" + String(repeating: "a", count: 107)
        #expect(throws: SocketError.tooLong("the socket's path is too long: \(long)")) {
            try LocalClient(connectingTo: long)
        }
    }

    @Test func requestsGoOutOneAfterTheOtherOnOneConnection() throws {
        let server = try SocketServerStub(
            at: path, .init(answers: [Self.hello, Self.hello, Self.hello], lingers: true))
        let client = try #require(try LocalClient(connectingTo: path))
        let answer = try client.send("GET", "/a?b=c", headers: [("x-one", "1")])
        #expect(answer.status == 200)
        #expect(answer["x-a"] == "b")
        #expect(answer["x-none"] == nil)
        #expect(answer.body == Array("hello".utf8))
        _ = try client.send("POST", "/b", body: .bytes(Array("body".utf8)))
        var pin = Array("271828".utf8)
        _ = try client.send("POST", "/c", body: .secret(LockedBytes(wiping: &pin)))
        #expect(
            server.requests == [
                "GET /a?b=c HTTP/1.1\r\nhost: countersign\r\nx-one: 1\r\n\r\n",
                "POST /b HTTP/1.1\r\nhost: countersign\r\ncontent-length: 4\r\n\r\nbody",
                "POST /c HTTP/1.1\r\nhost: countersign\r\ncontent-length: 6\r\n\r\n271828",
            ])
    }

    @Test(
        arguments: [
            ("", .ended), ("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello", .ended),
            ("nonsense\r\n\r\n", .malformed("no status line")),
        ] as [(String, SocketError)])
    func whatIsNoWholeAnswerIsAnError(_ answer: String, _ error: SocketError) throws {
        let server = try SocketServerStub(at: path, .init(answers: [answer]))
        let client = try #require(try LocalClient(connectingTo: path))
        #expect(throws: error) { try client.send("GET", "/") }
        #expect(throws: SocketError.notRunning("the agent has closed the connection")) { try client.send("GET", "/") }
        #expect(server.requests.count == 1)
    }

    @Test func anAnswerHasALimit() throws {
        let chunk = "100000\r\n" + String(repeating: "a", count: 1 << 20) + "\r\n"
        let server = try SocketServerStub(
            at: path,
            .init(answers: [
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + String(repeating: chunk, count: 17)
            ]))
        do {
            let client = try #require(try LocalClient(connectingTo: path))
            #expect(throws: SocketError.tooLarge("the agent's answer is larger than 16 MiB")) {
                try client.send("GET", "/")
            }
        }
        withExtendedLifetime(server) {}
    }

    /// Line by line an answer may be longer than any.
    @Test func linesAreTakenAsTheyCome() throws {
        let line = String(repeating: "a", count: (1 << 20) - 1)
        let server = try SocketServerStub(
            at: path,
            .init(answers: [
                "HTTP/1.1 200 OK\r\nContent-Type: application/jsonl\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + String(repeating: "100000\r\n\(line)\n\r\n", count: 17) + "0\r\n\r\n"
            ]))
        do {
            let client = try #require(try LocalClient(connectingTo: path))
            var lengths: [Int] = []
            let answer = try client.send(
                "GET", "/", headers: [("accept", "application/jsonl")], lines: { lengths.append($0.count) })
            #expect(lengths == Array(repeating: line.utf8.count, count: 17))
            #expect(answer.status == 200 && answer.body.isEmpty)
        }
        withExtendedLifetime(server) {}
    }

    @Test(arguments: ["HTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", hello + "more"])
    func nothingFollowsWhereTheConnectionIsOver(_ answer: String) throws {
        let server = try SocketServerStub(at: path, .init(answers: [answer], lingers: true))
        let client = try #require(try LocalClient(connectingTo: path))
        _ = try client.send("GET", "/")
        #expect(throws: SocketError.notRunning("the agent has closed the connection")) { try client.send("GET", "/") }
        client.cancel()
        #expect(server.requests.count == 1)
    }

    @Test func aClosedConnectionIsSeenBeforeAnythingIsSent() throws {
        let server = try SocketServerStub(at: path, .init(answers: [Self.hello]), .init(answers: [], lingers: true))
        let client = try #require(try LocalClient(connectingTo: path))
        _ = try client.send("GET", "/")
        // The stub takes the next connection only after it has closed the first.
        let second = try #require(try LocalClient(connectingTo: path))
        while client.isOpen { usleep(1000) }
        #expect(throws: SocketError.notRunning("the agent has closed the connection")) { try client.send("GET", "/") }
        second.cancel()
        #expect(server.requests.count == 1)
    }

    @Test func silenceHasAnEnd() throws {
        let server = try SocketServerStub(at: path, .init(answers: ["HTTP/1.1 200 OK\r\n"], lingers: true))
        let client = try #require(try LocalClient(connectingTo: path))
        #expect(throws: SocketError.timedOut) { try client.send("GET", "/", timeout: .milliseconds(50)) }
        client.cancel()
        withExtendedLifetime(server) {}
    }

    @Test func anotherThreadCanCutACallShort() async throws {
        let server = try SocketServerStub(at: path, .init(answers: ["HTTP/1.1 200 OK\r\n"], lingers: true))
        let client = try #require(try LocalClient(connectingTo: path))
        Thread {
            while server.requests.isEmpty { usleep(1000) }
            client.cancel()
        }.start()
        #expect(throws: SocketError.cancelled) { try client.send("GET", "/") }
    }

    @Test func anEventStreamIsReadToItsEnd() throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        let events = "10\r\nevent: a\ndata: 1\r\n6\r\n\n\n: x\n\r\n1b\r\n\nevent: b\ndata: 2\ndata: 3\n\n\r\n"
        let server = try SocketServerStub(
            at: path, .init(answers: [], lingers: true), .init(answers: [head + events + "0\r\n\r\n"]))
        let client = try #require(try LocalClient(connectingTo: path))
        // The stub serves one after the other.
        client.cancel()
        let stream = try client.stream("/events", headers: [("x-one", "1")])
        #expect(try stream.next() == StreamEvent(name: "a", data: "1"))
        #expect(try stream.next() == StreamEvent(name: "b", data: "2\n3"))
        #expect(try stream.next() == nil)
        #expect(try stream.next() == nil)
        #expect(
            server.requests == [
                "GET /events HTTP/1.1\r\nhost: countersign\r\nx-one: 1\r\naccept: text/event-stream\r\n\r\n"
            ])
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n", .ended),
            ("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", .malformed("no event stream (status 404)")),
            (
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n",
                .malformed("no event stream (status 200)")
            ),
        ] as [(String, SocketError)])
    func aBrokenStreamIsAnError(_ answer: String, _ error: SocketError) throws {
        let server = try SocketServerStub(at: path, .init(answers: [], lingers: true), .init(answers: [answer]))
        let client = try #require(try LocalClient(connectingTo: path))
        client.cancel()
        #expect(throws: error) { try client.stream("/").next() }
        withExtendedLifetime(server) {}
    }

    @Test func aStreamThatSaysNothingAtAllIsGivenUpOrCutShort() throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        let quiet = SocketServerStub.Script(answers: [head], lingers: true)
        let server = try SocketServerStub(at: path, .init(answers: [], lingers: true), quiet, quiet)
        let client = try #require(try LocalClient(connectingTo: path))
        client.cancel()
        do {
            let stream = try client.stream("/", silence: .seconds(2))
            #expect(throws: SocketError.timedOut) { try stream.next() }
        }
        let stream = try client.stream("/")
        Thread { stream.cancel() }.start()
        #expect(throws: SocketError.cancelled) { try stream.next() }
        #expect(throws: SocketError.cancelled) { try stream.next() }
        withExtendedLifetime(server) {}
    }

    @Test func aServerOfAnotherUserIsRefused() throws {
        chmod(home.path, 0o777)
        let program = """
            use IO::Socket::UNIX;
            my $server = IO::Socket::UNIX->new(Local => $ARGV[0], Listen => 1) or die;
            chmod 0777, $ARGV[0];
            $| = 1; print "ready\\n"; <STDIN>;
            """
        let server = try PerlProgram(program, path, as: .another)
        #expect(try server.line() == "ready")
        let uid = try #require(try SocketFile(at: path)?.owner)
        #expect(throws: SocketError.stranger(path: path, uid: uid)) { try LocalClient(connectingTo: path) }
    }
}
