@testable import LocalSocket
import Testing

@Suite struct Answers {
    /// All parts that come of the bytes, fed in pieces of this size.
    private func parts(_ text: String, by size: Int) throws -> (parts: [AnswerParser.Part], rest: Bool) {
        var parser = AnswerParser()
        var parts: [AnswerParser.Part] = []
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            parser.feed(Array(bytes.prefix(size)))
            bytes = bytes.dropFirst(size)
            while let part = try parser.next() { parts.append(part) }
        }
        return (parts, !parser.isEmpty)
    }

    private func body(_ parts: [AnswerParser.Part]) -> String {
        String(decoding: parts.flatMap { if case .body(let bytes) = $0 { bytes } else { [UInt8]() } }, as: UTF8.self)
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, "hello"),
            ("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", 200, ""),
            ("HTTP/1.1 404 \r\ncontent-length:\t 2 \r\n\r\n{}", 404, "{}"),
            ("HTTP/1.1 204 No Content\r\n\r\n", 204, ""),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;a=b\r\n world\r\n0\r\n\r\n", 200,
                "hello world"
            ),
            (
                "HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n00A\r\n0123456789\r\n0\r\nX: y\r\n\r\n", 200,
                "0123456789"
            ),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n\r\n\r\n0\r\n\r\n", 200, "\r\n"),
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", 200, "x"),
        ] as [(String, Int, String)], [1, 2, 7, 10_000])
    func anAnswerIsReadInWhateverPiecesItComes(_ answer: (String, Int, String), _ size: Int) throws {
        let (parts, rest) = try parts(answer.0, by: size)
        guard case .head(let head) = parts.first else {
            Issue.record("no head")
            return
        }
        #expect(head.status == answer.1)
        #expect(body(parts) == answer.2)
        #expect(parts.last == .end)
        #expect(!rest)
    }

    @Test func headersAreNamedInLowerCaseAndTrimmed() throws {
        let text = "HTTP/1.1 200 OK\r\nX-One:  a b\t\r\nx-ONE:\r\nContent-Length: 0\r\n\r\n"
        guard case .head(let head) = try parts(text, by: 100).parts.first else {
            Issue.record("no head")
            return
        }
        #expect(head.values("x-one") == ["a b", ""])
    }

    @Test func twoAnswersInARowAreTwo() throws {
        let one = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"
        let two = "HTTP/1.1 500 Oh\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nb\r\n0\r\n\r\n"
        let (parts, rest) = try parts(one + two, by: 10_000)
        #expect(parts.filter { $0 == .end }.count == 2)
        #expect(body(parts) == "ab")
        #expect(!rest)
    }

    /// One fault each.
    @Test(
        arguments: [
            ("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", .malformed("no status line")),
            ("HTTP/2 200 OK\r\nContent-Length: 0\r\n\r\n", .malformed("no status line")),
            ("HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n", .malformed("no status line")),
            ("HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n", .malformed("no status line")),
            ("HTTP/1.1 +20 OK\r\nContent-Length: 0\r\n\r\n", .malformed("no status line")),
            ("HTTP/1.1 099 OK\r\nContent-Length: 0\r\n\r\n", .malformed("no status line")),
            ("SSH-2.0-OpenSSH_9.2\r\n\r\n", .malformed("no status line")),
            ("\r\n\r\n", .malformed("no status line")),
            ("HTTP/1.1 200 OK\nContent-Length: 0\r\n\r\n", .malformed("a line that ends without CR LF")),
            ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: a\u{0}\r\n\r\n", .malformed("a control character")),
            ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: a\rb\r\n\r\n", .malformed("a control character")),
            ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n: a\r\n\r\n", .malformed("a header without a name")),
            ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nnothing\r\n\r\n", .malformed("a header without a name")),
            ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: a\r\n folded\r\n\r\n", .malformed("a header without a name")),
            ("HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n", .malformed("a header without a name")),
            ("HTTP/1.1 200 OK\r\n\r\nuntil it closes", .malformed("the body's length is not given exactly once")),
            ("HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n", .malformed("a body of no length")),
            ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", .malformed("a body of no length")),
            ("HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\n", .malformed("a body of no length")),
            ("HTTP/1.1 200 OK\r\nContent-Length: 1a\r\n\r\n", .malformed("a body of no length")),
            ("HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\n", .malformed("a body of no length")),
            ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", .malformed("a body of no length")),
            ("HTTP/1.1 200 OK\r\nContent-Length: 1073741825\r\n\r\n", .tooLarge("the agent's answer is too large")),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n",
                .malformed("the body's length is not given exactly once")
            ),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                .malformed("the body's length is not given exactly once")
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                .malformed("an unknown transfer coding")
            ),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\n", .malformed("an unknown transfer coding")),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", .malformed("a chunk of no size")),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", .malformed("a chunk of no size")),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", .malformed("a chunk of no size")),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x1\r\n", .malformed("a chunk of no size")),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello!\r\n",
                .malformed("a chunk is longer than it says")
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\nhello",
                .malformed("a line that ends without CR LF")
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffff\r\n",
                .tooLarge("the agent's answer is too large")
            ),
        ] as [(String, SocketError)])
    func aFaultIsAnError(_ text: String, _ error: SocketError) {
        for size in [7, 10_000_000] {
            #expect(throws: error, "\(size)") { try parts(text, by: size) }
        }
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\nX: ", "a"), ("HTTP/1.1 200 OK\r\n", "X: a\r\n"), ("", "HTTP/1.1 100 \r\n"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "0"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X: a\r\n"),
        ])
    func aHeadHasALimit(_ start: String, _ more: String) throws {
        let flood = String(repeating: more, count: 70_000 / more.utf8.count)
        #expect(throws: SocketError.tooLarge("the agent's answer has too long a head")) {
            try parts(start + flood, by: 1000)
        }
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
    ])
    func halfAnAnswerIsNotTakenForAWholeOne(_ text: String) throws {
        #expect(try !parts(text, by: 3).parts.contains(.end))
    }
}

@Suite struct Events {
    @Test(
        arguments: [
            ("event: added\ndata: {}\n\n", [StreamEvent(name: "added", data: "{}")]),
            ("data:x\n\n", [StreamEvent(name: "message", data: "x")]),
            ("event:a\r\ndata: 1\r\ndata:  2\r\ndata\r\n\r\n", [StreamEvent(name: "a", data: "1\n 2\n")]),
            (
                "event: a\rdata: 1\r\rdata: 2\r\r",
                [StreamEvent(name: "a", data: "1"), .init(name: "message", data: "2")]
            ),
            (": hello\n\n:\nevent: a\n: in between\ndata: x\n\n", [StreamEvent(name: "a", data: "x")]),
            ("id: 7\nretry: 10\nfoo: bar\ndata: x\n\n", [StreamEvent(name: "message", data: "x")]),
            ("event: nothing\n\ndata: x\n\n", [StreamEvent(name: "message", data: "x")]),
            ("event: a\ndata: half", []),
            ("data: a: b\n\n", [StreamEvent(name: "message", data: "a: b")]),
            ("data: ✓\n\n", [StreamEvent(name: "message", data: "✓")]),
        ] as [(String, [StreamEvent])], [1, 3, 10_000])
    func eventsComeWhole(_ stream: (String, [StreamEvent]), _ size: Int) throws {
        var parser = EventParser()
        var events: [StreamEvent] = []
        var bytes = Array(stream.0.utf8)[...]
        while !bytes.isEmpty {
            events += try parser.feed(Array(bytes.prefix(size)))
            bytes = bytes.dropFirst(size)
        }
        #expect(events == stream.1)
    }

    @Test func anEventHasALimitAndAStreamHasNone() throws {
        var parser = EventParser(longestEvent: 1000)
        let line = Array(("data: " + String(repeating: "a", count: 93) + "\n").utf8)
        for _ in 0..<20 { #expect(try parser.feed(line + [10]).count == 1) }
        for _ in 0..<20 {
            #expect(try parser.feed(Array((": " + String(repeating: "b", count: 90) + "\n").utf8)).isEmpty)
        }
        for _ in 0..<10 { #expect(try parser.feed(line).isEmpty) }
        #expect(try parser.feed([10]).first?.data.utf8.count == 10 * 93 + 9)
        for _ in 0..<10 { #expect(try parser.feed(line).isEmpty) }
        #expect(throws: SocketError.tooLarge("an event is too large")) { try parser.feed(line) }
    }
}
