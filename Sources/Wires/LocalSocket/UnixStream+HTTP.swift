extension UnixStream {
    /// In bytes: the longest body of an answer, or the longest line if the answer is taken line by line.
    private static let largestBody = 16 * 1024 * 1024

    func sendRequest(
        _ method: String, _ path: String, _ headers: [(String, String)], _ body: LocalClient.Body,
        by deadline: ContinuousClock.Instant
    ) throws(SocketError) {
        var all = [("host", "countersign")]
        switch body {
        case .none: break
        case .bytes(let bytes): all.append(("content-length", String(bytes.count)))
        case .secret(let secret): all.append(("content-length", String(secret.count)))
        }
        all += headers
        var head = ""
        for line in ["\(method) \(path) HTTP/1.1"] + all.map({ "\($0): \($1)" }) {
            precondition(!line.utf8.contains(13) && !line.utf8.contains(10), "a line break in a request's head")
            head += line
            head += "\r\n"
        }
        head += "\r\n"
        // Do not throw: a server that refuses the rest may have answered why. Reading the answer reports that the other end has
        // closed.
        guard try send(Array(head.utf8), by: deadline) else {
            if case .secret(let secret) = body { secret.wipe() }
            return
        }
        switch body {
        case .none: break
        case .bytes(let bytes): _ = try send(bytes, by: deadline)
        case .secret(let secret):
            // It is sent once, and not needed while the answer is awaited.
            defer { secret.wipe() }
            // Goes from its own memory into the kernel's, without a copy here.
            let sent = secret.withBytes { bytes in
                Result { () throws(SocketError) in try send(bytes, by: deadline) }
            }
            _ = try sent.get()
        }
    }

    /// - Parameter lines: returns the function that takes the lines of an answer with this head; nil to read the body as a whole.
    func answer(
        _ parser: inout AnswerParser, by deadline: ContinuousClock.Instant,
        lines: (AnswerParser.Head) -> ((_ line: [UInt8]) -> Void)? = { _ in nil }
    ) throws(SocketError) -> LocalAnswer {
        let head = try head(&parser, by: deadline)
        var answer = LocalAnswer(
            status: head.status, headers: head.headers.map { ($0.name, $0.value) }, body: [])
        let take = lines(head)
        while case .body(let part) = try next(&parser, by: deadline) {
            var bytes = part[...]
            while let take, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                take(answer.body + bytes[..<end])
                answer.body = []
                bytes = bytes[(end + 1)...]
            }
            guard answer.body.count + bytes.count <= Self.largestBody else {
                throw .tooLarge("the agent's answer is larger than \(Self.largestBody >> 20) MiB")
            }
            answer.body += bytes
        }
        return answer
    }

    func head(_ parser: inout AnswerParser, by deadline: ContinuousClock.Instant) throws(SocketError)
        -> AnswerParser.Head
    {
        guard case .head(let head) = try next(&parser, by: deadline) else { throw .malformed("no status line") }
        return head
    }

    /// The next part of an answer. Throws `ended` when the connection ends before it.
    func next(_ parser: inout AnswerParser, by deadline: ContinuousClock.Instant) throws(SocketError)
        -> AnswerParser.Part
    {
        while true {
            if let part = try parser.next() { return part }
            let bytes = try receive(by: deadline)
            guard !bytes.isEmpty else { throw .ended }
            parser.feed(bytes)
        }
    }

    package func send(_ bytes: [UInt8], by deadline: ContinuousClock.Instant) throws(SocketError) -> Bool {
        // The array lives through the call.
        let sent = bytes.withUnsafeBytes { buffer in
            Result { () throws(SocketError) in try send(buffer, by: deadline) }
        }
        return try sent.get()
    }
}
