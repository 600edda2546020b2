import Basics
import Foundation
import Hummingbird
@testable import LocalSocket
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct LocalServers {
    @Test func requestsAreAnsweredAndTheCallerIsKnown() async throws {
        let callers = Mutex<[Caller]>([])
        let fixture = try SocketServerFixture { request, caller in
            callers.withLock { $0.append(caller) }
            let body = try await request.body.collect(upTo: 1000)
            return Response(
                status: .accepted, headers: [.contentType: "text/plain"],
                body: .init(byteBuffer: ByteBuffer(string: "\(request.method) \(request.uri) \(String(buffer: body))")))
        }
        let client = try fixture.client()
        let answers = try await onThread {
            try [client.send("PUT", "/a?b=%20", body: .bytes(Array("one".utf8))), client.send("GET", "/c")]
        }
        #expect(answers.map(\.status) == [202, 202])
        #expect(answers[0]["content-type"] == "text/plain")
        #expect(answers.map { String(decoding: $0.body, as: UTF8.self) } == ["PUT /a?b=%20 one", "GET /c "])
        let caller = try #require(callers.withLock { $0.last })
        #expect(caller.requester == Requester.current())
        #expect(caller.isOwnProgram)
        #expect(!caller.presence.hasLeft)
        await fixture.shutDown()
        try await fixture.end()
        #expect(caller.presence.hasLeft)
    }

    @Test func whatIsThrownIsAnAnswerWithoutWords() async throws {
        struct Secretive: Error { var text = "secret" }
        let fixture = try SocketServerFixture { request, _ in
            if request.uri.path == "/http" { throw HTTPError(.notFound, message: "secret") }
            throw Secretive()
        }
        let client = try fixture.client()
        let answers = try await onThread {
            try [client.send("GET", "/http"), client.send("GET", "/"), client.send("HEAD", "/")]
        }
        #expect(answers.map(\.status) == [404, 500, 500])
        #expect(answers.allSatisfy { $0.body.isEmpty })
        await fixture.shutDown()
        try await fixture.end()
    }

    @Test func whoIsNotAdmittedIsClosedBeforeAnythingIsRead() async throws {
        let asked = Mutex<[UInt32]>([])
        let fixture = try SocketServerFixture(
            admits: { uid in
                asked.withLock { $0.append(uid) }
                return false
            },
            respond: { _, _ in
                Issue.record("a stranger was served")
                return Response(status: .ok)
            })
        let client = try fixture.client()
        await #expect(throws: SocketError.self) { try await onThread { try client.send("GET", "/") } }
        #expect(asked.withLock { $0 } == [geteuid()])
        await fixture.shutDown()
        try await fixture.end()
    }

    @Test func anotherUserIsRefusedEvenWhereTheDoorIsOpen() async throws {
        let fixture = try SocketServerFixture { _, _ in Response(status: .ok) }
        for open in [fixture.home.path, fixture.socket.place.directory, fixture.path] { chmod(open, 0o777) }
        let program = """
            use IO::Socket::UNIX;
            $SIG{PIPE} = 'IGNORE';
            my $client = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die;
            print $client "GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n"; $client->flush;
            my $line = <$client>;
            print defined $line ? $line : "closed", "\\n";
            """
        let path = fixture.path
        #expect(try await onThread { try PerlProgram(program, path, as: .another).line() } == "closed")
        let client = try fixture.client()
        #expect(try await onThread { try client.send("GET", "/").status } == 200)
        await fixture.shutDown()
        try await fixture.end()
    }

    @Test func whoIsIdleLongestMakesRoom() async throws {
        let fixture = try SocketServerFixture(limits: .init(connections: 2)) { _, _ in Response(status: .ok) }
        let clients = try [fixture.client(), fixture.client()]
        for client in clients { _ = try await onThread { try client.send("GET", "/") } }
        let third = try fixture.client()
        #expect(try await onThread { try third.send("GET", "/").status } == 200)
        while clients[0].isOpen { await Task.yield() }
        #expect(try await onThread { try clients[1].send("GET", "/").status } == 200)
        await fixture.shutDown()
        try await fixture.end()
    }

    @Test func oneTooManyIsRefusedWhereAllAreBusyAndThenThereIsRoomAgain() async throws {
        let (entered, finish) = (Door(), Door())
        let fixture = try SocketServerFixture(limits: .init(connections: 1)) { _, _ in
            entered.unlock()
            await finish.passes()
            return Response(status: .ok)
        }
        let busy = try fixture.client()
        let call = Task { try await onThread { try busy.send("GET", "/").status } }
        await entered.passes()
        let second = try fixture.client()
        #expect(try await onThread { try second.send("GET", "/").status } == 503)
        #expect(!second.isOpen)
        finish.unlock()
        #expect(try await call.value == 200)
        #expect(try await fixture.answeredClient().isOpen)
        await fixture.shutDown()
        try await fixture.end()
    }

    @Test func whoSaysNothingIsClosed() async throws {
        let fixture = try SocketServerFixture(limits: .init(silence: .seconds(4))) { _, _ in Response(status: .ok) }
        let speaking = try fixture.client()
        _ = try await onThread { try speaking.send("GET", "/") }
        let silent = try fixture.client()
        while silent.isOpen { try await Task.sleep(for: .milliseconds(20)) }
        #expect(try await onThread { try speaking.send("GET", "/").status } == 200)
        await fixture.shutDown()
        try await fixture.end()
    }

    @Test func whoIsIdleIsClosedAndWhoWaitsForAnAnswerIsNot() async throws {
        let (entered, finish) = (Door(), Door())
        let fixture = try SocketServerFixture(limits: .init(idleness: .seconds(4))) { request, _ in
            if request.uri.path == "/slow" {
                entered.unlock()
                await finish.passes()
            }
            return Response(status: .ok)
        }
        let (slow, idle) = try (fixture.client(), fixture.client())
        let call = Task { try await onThread { try slow.send("GET", "/slow").status } }
        await entered.passes()
        _ = try await onThread { try idle.send("GET", "/") }
        while idle.isOpen { try await Task.sleep(for: .milliseconds(20)) }
        finish.unlock()
        #expect(try await call.value == 200)
        await fixture.shutDown()
        try await fixture.end()
    }

    /// An enrollment lasts as long as its connection, on which nothing is said while the person is on the bank's page.
    @Test func whoIsAwaitedIsNotClosed() async throws {
        let fixture = try SocketServerFixture(limits: .init(connections: 6, idleness: .seconds(2))) {
            request, caller in
            if request.uri.path == "/stay" { _ = caller.presence.onDeparture {} }
            return Response(status: .ok)
        }
        let (staying, idle) = try (fixture.client(), fixture.client())
        _ = try await onThread { try staying.send("GET", "/stay") }
        _ = try await onThread { try idle.send("GET", "/") }
        while idle.isOpen { try await Task.sleep(for: .milliseconds(20)) }
        try await Task.sleep(for: .seconds(4))
        // Nor does it make room for others, though it said nothing for longer than they.
        var others: [LocalClient] = []
        for _ in 0..<6 { others.append(try await fixture.answeredClient()) }
        while others.allSatisfy(\.isOpen) { try await Task.sleep(for: .milliseconds(20)) }
        #expect(staying.isOpen)
        #expect(try await onThread { try staying.send("GET", "/").status } == 200)
        await fixture.shutDown()
        try await fixture.end()
    }

    @Test func whoDoesNotFinishARequestIsClosed() async throws {
        let fixture = try SocketServerFixture(limits: .init(idleness: .milliseconds(500))) { request, _ in
            for try await _ in request.body {}
            return Response(status: .ok)
        }
        let stream = try #require(try UnixStream(connectingTo: fixture.path))
        let end = ContinuousClock.now + .seconds(30)
        let part = Array("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc".utf8)
        try await onThread {
            _ = try part.withUnsafeBytes { try stream.send($0, by: end) }
            while let answer = try? stream.receive(by: end), !answer.isEmpty {}
        }
        #expect(.now < end)
        await fixture.shutDown()
        try await fixture.end()
    }

    @Test func aHandlerLearnsThatItsClientLeft() async throws {
        let (entered, left) = (Door(), Door())
        let fixture = try SocketServerFixture { _, caller in
            try await caller.presence.whilePresent {
                entered.unlock()
                await withTaskCancellationHandler {
                    await left.passes()
                } onCancel: {
                    left.unlock()
                }
            }
            return Response(status: .ok)
        }
        let client = try fixture.client()
        let call = Task { try await onThread { try client.send("GET", "/") } }
        await entered.passes()
        client.cancel()
        await left.passes()
        await #expect(throws: SocketError.cancelled) { try await call.value }
        await fixture.shutDown()
        try await fixture.end()
    }

    @Test func aRequestInProgressIsFinishedAndNoOtherIsTaken() async throws {
        let (entered, finish) = (Door(), Door())
        let fixture = try SocketServerFixture { request, _ in
            guard request.uri.path == "/slow" else { return Response(status: .ok) }
            entered.unlock()
            await finish.passes()
            return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "whole")))
        }
        let (slow, idle) = try (fixture.client(), fixture.client())
        _ = try await onThread { try idle.send("GET", "/") }
        let call = Task { try await onThread { try slow.send("GET", "/slow") } }
        await entered.passes()
        await fixture.shutDown()
        while idle.isOpen { await Task.yield() }
        while try LocalClient(connectingTo: fixture.path) != nil { await Task.yield() }
        #expect(try SocketFile(at: fixture.path) == nil)
        finish.unlock()
        #expect(try await call.value.body == Array("whole".utf8))
        try await fixture.end()
        #expect(throws: SocketError.self) { try slow.send("GET", "/") }
        // The agent itself goes on until it lets the lock go.
        #expect(throws: SocketError.running(pid: getpid())) { try ListeningSocket.bind(at: fixture.socket.place) }
    }

    @Test func whatTakesTooLongIsCutShort() async throws {
        let (entered, cancelled) = (Door(), Door())
        let fixture = try SocketServerFixture(limits: .init(drain: .milliseconds(50))) { _, _ in
            entered.unlock()
            await withTaskCancellationHandler {
                await cancelled.passes()
            } onCancel: {
                cancelled.unlock()
            }
            return Response(status: .ok)
        }
        let client = try fixture.client()
        let call = Task { try await onThread { try client.send("GET", "/") } }
        await entered.passes()
        await fixture.shutDown()
        try await fixture.end()
        await #expect(throws: SocketError.ended) { try await call.value }
    }

    @Test func aCancelledServerEndsAtOnce() async throws {
        let home = try SocketHome()
        let socket = try ListeningSocket.bind(at: home.place())
        let entered = Door()
        let running = Task {
            try await LocalServer(on: socket) { _, _ in
                entered.unlock()
                try await Task.sleep(for: .seconds(3600))
                return Response(status: .ok)
            }.run()
        }
        let client = try #require(try LocalClient(connectingTo: socket.place.path))
        let call = Task { try await onThread { try client.send("GET", "/") } }
        await entered.passes()
        running.cancel()
        _ = await running.result
        await #expect(throws: SocketError.ended) { try await call.value }
        #expect(try LocalClient(connectingTo: socket.place.path) == nil)
    }

    @Test func aSocketIsServedOnce() async throws {
        let fixture = try SocketServerFixture { _, _ in Response(status: .ok) }
        let client = try fixture.client()
        _ = try await onThread { try client.send("GET", "/") }
        await #expect(throws: SocketError.unusable("the socket is served already")) {
            try await LocalServer(on: fixture.socket) { _, _ in Response(status: .ok) }.run()
        }
        await fixture.shutDown()
        try await fixture.end()
    }

    @Test func aPassedSocketIsServed() async throws {
        let home = try SocketHome()
        let place = try home.place()
        try place.makeDirectory()
        let descriptor = try SocketHome.listener(at: place.path)
        let socket = try #require(
            try ListeningSocket.inherited(
                at: place, environment: ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "1"], first: descriptor))
        let running = Task { try await LocalServer(on: socket) { _, _ in Response(status: .ok) }.run() }
        let client = try #require(try LocalClient(connectingTo: place.path))
        #expect(try await onThread { try client.send("GET", "/").status } == 200)
        running.cancel()
        _ = await running.result
        #expect(try SocketFile(at: place.path) != nil)
    }
}

@Suite(.timeLimit(.minutes(2))) struct EventStreams {
    @Test func eventsArriveAsTheyHappen() async throws {
        let (events, source) = AsyncStream.makeStream(of: StreamEvent.self)
        let fixture = try SocketServerFixture { _, caller in
            EventStream.response(events, to: caller.presence, heartbeat: .milliseconds(5))
        }
        let client = try fixture.client()
        let stream = try await onThread { try client.stream("/") }
        for event in [
            StreamEvent(name: "added", data: #"{"a":1}"#), .init(name: "b", data: "1\n\n2"), .init(name: "b", data: ""),
        ] {
            source.yield(event)
            #expect(try await onThread { try stream.next() } == event)
        }
        source.finish()
        #expect(try await onThread { try stream.next() } == nil)
        await fixture.shutDown()
        try await fixture.end()
    }

    @Test func aClientThatLeavesEndsTheEvents() async throws {
        let ended = Door()
        let fixture = try SocketServerFixture { _, caller in
            let (events, source) = AsyncStream.makeStream(of: StreamEvent.self)
            source.onTermination = { _ in ended.unlock() }
            source.yield(.init(name: "a", data: "b"))
            return EventStream.response(events, to: caller.presence, heartbeat: .seconds(3600))
        }
        let client = try fixture.client()
        let stream = try await onThread { try client.stream("/") }
        #expect(try await onThread { try stream.next() } != nil)
        stream.cancel()
        await ended.passes()
        await fixture.shutDown()
        try await fixture.end()
    }

    @Test func aShutdownEndsTheStreamInOrder() async throws {
        let fixture = try SocketServerFixture(limits: .init(drain: .seconds(3600))) { _, caller in
            let (events, _) = AsyncStream.makeStream(of: StreamEvent.self)
            return EventStream.response(events, to: caller.presence, heartbeat: .seconds(3600))
        }
        let client = try fixture.client()
        let stream = try await onThread { try client.stream("/") }
        await fixture.shutDown()
        #expect(try await onThread { try stream.next() } == nil)
        try await fixture.end()
    }

    @Test func whoDoesNotReadIsClosed() async throws {
        let ended = Door()
        let fixture = try SocketServerFixture { _, caller in
            EventStream.response(
                Flood(ended), to: caller.presence, heartbeat: .milliseconds(20), patience: .milliseconds(100))
        }
        let client = try fixture.client()
        let stream = try await onThread { try client.stream("/") }
        await ended.passes()
        await #expect(throws: SocketError.ended) { try await onThread { while try stream.next() != nil {} } }
        await fixture.shutDown()
        try await fixture.end()
    }

    @Test func aShutdownDoesNotWaitForWhoDoesNotRead() async throws {
        let ended = Door()
        let fixture = try SocketServerFixture(limits: .init(drain: .seconds(3600))) { _, caller in
            EventStream.response(Flood(ended), to: caller.presence, heartbeat: .seconds(3600))
        }
        let client = try fixture.client()
        let stream = try await onThread { try client.stream("/") }
        await fixture.shutDown()
        try await fixture.end()
        await ended.passes()
        stream.cancel()
    }

    /// Events without end, as fast as they are taken.
    private struct Flood: AsyncSequence, Sendable {
        let ended: Door
        init(_ ended: Door) { self.ended = ended }
        func makeAsyncIterator() -> Iterator { Iterator(ended) }

        final class Iterator: AsyncIteratorProtocol {
            private let ended: Door
            init(_ ended: Door) { self.ended = ended }
            deinit { ended.unlock() }
            func next() async -> StreamEvent? { StreamEvent(name: "a", data: String(repeating: "b", count: 1000)) }
        }
    }

    @Test(
        arguments: [
            (StreamEvent(name: "a", data: "b"), "event: a\ndata: b\n\n"),
            (StreamEvent(name: "a", data: ""), "event: a\ndata: \n\n"),
            (
                StreamEvent(name: "a\nid: 1", data: "b\r\nc\rd\n"),
                "event: a id: 1\ndata: b\ndata: c\ndata: d\ndata: \n\n"
            ),
        ])
    func noEventBreaksOutOfItsLines(_ event: StreamEvent, _ expected: String) {
        #expect(EventStream.text(event) == expected)
    }
}
