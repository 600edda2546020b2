import Basics
import CTerminal
import Display
import Glibc
import Cryptography

// Results go to standard output, messages to standard error, and questions to the terminal.

/// The person's terminal: `/dev/tty` for questions and secrets, standard error for messages.
struct Terminal: Sendable {
    /// Whether questions can be asked and cards seen: standard input and standard error are terminals, and `--no-input`
    /// was not given.
    let isInteractive: Bool
    private let noInput: Bool
    /// Whether a PIN can be typed here: also where standard input is a pipe, as in `cat FILE | countersign token`, if messages are seen
    /// on this terminal and no other job has it.
    var takesSecrets: Bool {
        if isInteractive { return true }
        guard !noInput, isatty(STDERR_FILENO) == 1 else { return false }
        let tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard tty >= 0 else { return false }
        defer { close(tty) }
        return !Self.isInBackground(of: tty)
    }
    /// Can take open questions back; nil if nothing does.
    let recall: QuestionRecall?

    init(noInput: Bool, recall: QuestionRecall? = nil) {
        self.recall = recall
        self.noInput = noInput
        isInteractive = !noInput && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
    }

    /// Whether this stream may be coloured: it is a terminal that knows how, and `NO_COLOR` is not set (no-color.org).
    static func allowsColour(on descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && !isDumb && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)
    }

    /// Writes a message to standard error; on a terminal, in lines that it need not break.
    static func say(_ text: String, newline: Bool = true) {
        write(drawable(fitting(text, on: STDERR_FILENO)) + (newline ? "\n" : ""), to: STDERR_FILENO)
    }

    /// Writes a failure to standard error. It may name words of the command line or files, which are made safe here.
    static func say(_ failure: Failure) {
        var shown = failure
        shown.message = DisplayText(answered: failure.message).line
        shown.hint = failure.hint.map { DisplayText(answered: $0).line }
        say(shown.text)
    }

    /// Writes an address that the person may copy to standard error, whole on a line of its own. It has no blanks, so it cannot look
    /// like a message of ours even where the terminal breaks it.
    static func say(address: String) {
        guard !address.contains(where: \.isWhitespace) else { return say("  " + address) }
        write("  \(address)\n", to: STDERR_FILENO)
    }

    /// Writes a text that is laid out already to standard error, or moves the cursor.
    static func draw(_ text: String) {
        write(drawable(text), to: STDERR_FILENO)
    }

    /// Runs `body`. On a terminal it prints `words`, the reason for the wait, if that takes more than two seconds.
    static func saying<R>(_ words: String, _ body: () async throws -> R) async rethrows -> R {
        guard isatty(STDERR_FILENO) == 1 else { return try await body() }
        let notice = Task {
            guard (try? await Task.sleep(for: .seconds(2))) != nil else { return }
            say(words + " …")
        }
        defer { notice.cancel() }
        return try await body()
    }

    /// Writes a result to standard output. Throws if it cannot be written completely, so that a script does not take
    /// the silence for an answer.
    static func result(_ text: String) throws {
        guard write(text, to: STDOUT_FILENO) else {
            throw Failure(
                .internal, "the result could not be written to standard output",
                hint: "the command itself was carried out; for decisions see: countersign history")
        }
    }

    /// Writes a text. Returns whether all of it was written.
    @discardableResult
    static func write(_ text: String, to descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            // The pointer is used only inside the call, with the buffer's own length.
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Asks a yes-or-no question. Any answer except y and yes means no. A question that is taller than the screen is shown page by page
    /// first. `recap`: lines above it, as they are.
    func confirm(_ question: String, below recap: [String] = []) throws -> Bool {
        let safe = question.split(separator: "\n").map { DisplayText(answered: String($0)).line }
        let asked = safe.joined(separator: "\n") + TextLines.unbreakable + "[y/N]"
        func lines() -> [String] { recap + TextLines.fitting(asked, width: LiveArea.size.columns - 2) }
        if lines().count >= LiveArea.size.rows - 1 { _ = try show { lines().dropLast() } }
        // Input typed or pasted before the question was seen is no answer to it.
        if isInteractive { tcflush(STDIN_FILENO, TCIFLUSH) }
        let shown = lines()
        let answer = try line(
            (shown.count < LiveArea.size.rows - 1 ? shown : shown.suffix(1)).joined(separator: "\n") + " "
        )
        .lowercased()
        return answer == "y" || answer == "yes"
    }

    /// Asks for a line of ordinary text, with echo. The terminal need not break the prompt. Throws `cancelled` at the end of input, and if the question is
    /// taken back; `inBackground` where the terminal gives it no input.
    ///
    /// - Parameter missing: the error to throw where there is no terminal.
    func line(_ prompt: String, missing: Failure? = nil) throws -> String {
        if !isInteractive, !noInput, let missing { throw missing }
        try requireInteractive()
        countersign_terminal_show()
        defer { countersign_terminal_restore() }
        countersign_terminal_asks(STDERR_FILENO)
        defer { countersign_terminal_asks(-1) }
        Self.say(prompt, newline: false)
        guard let line = StandardInput.line(unless: recall), recall?.isTaken != true else {
            throw Self.isInBackground(of: STDIN_FILENO) ? Failure.inBackground : .cancelled
        }
        return line
    }

    /// Asks for a text that is pasted. Text pasted in several lines is returned with all its lines, since the first
    /// alone may mean something else. A last line without an end waits for the Enter key.
    func paste(_ prompt: String, missing: Failure? = nil) throws -> String {
        var text = try line(prompt, missing: missing)
        // A terminal that reads whole lines keeps back one that was not ended.
        guard countersign_terminal_hush(STDIN_FILENO) == 0 else { return text }
        defer { countersign_terminal_end_hush(STDIN_FILENO) }
        var more: [UInt8] = []
        var next = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        // A paste arrives in one piece, or nearly so.
        while more.count < StandardInput.longestLine, poll(&next, 1, 100) > 0 || !more.isEmpty && more.last != 10,
            recall?.awaitInput(of: STDIN_FILENO) != false, let byte = StandardInput.byte()
        {
            more.append(byte == 13 ? 10 : byte)
        }
        if recall?.isTaken == true { throw Failure.cancelled }
        if !more.isEmpty { text += "\n" + String(decoding: more, as: UTF8.self) }
        return text
    }

    /// Asks for a secret on the controlling terminal, showing one dot for each character. Nil if nothing was typed.
    /// Throws `cancelled` on ctrl-c and ctrl-d, and if the question is taken back; `inBackground` as `line` does.
    func secret(_ prompt: String) throws -> LockedBytes? {
        guard takesSecrets else { throw noInput ? Failure.mayNotAsk : .needsTerminal }
        try requireNoEnd()
        let tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard tty >= 0 else { throw Failure.needsTerminal }
        defer { close(tty) }
        guard countersign_terminal_silence(tty) == 0 else {
            throw Self.isInBackground(of: tty) ? Failure.inBackground : .needsTerminal
        }
        defer { countersign_terminal_restore() }
        Self.write(prompt, to: tty)
        defer { Self.write("\n", to: tty) }
        return try readSecret(from: tty, prompt)
    }

    private func readSecret(from tty: Int32, _ prompt: String) throws -> LockedBytes? {
        let secret = try LockedBytes(capacity: SecretLine.longest) { bytes in
            var typed = 0
            var byte: UInt8 = 0
            while true {
                guard recall?.awaitInput(of: tty) != false else { throw Failure.cancelled }
                // One byte into a variable of one byte.
                let count = read(tty, &byte, 1)
                if count < 0, errno == EINTR { continue }
                if count < 0, Self.isInBackground(of: tty) { throw Failure.inBackground }
                guard count == 1, byte != 3, byte != 4 || typed > 0 else { throw Failure.cancelled }
                switch byte {
                case 10, 13, 4:
                    return typed
                case 8, 127:
                    guard typed > 0 else { continue }
                    while typed > 0 {
                        typed -= 1
                        let removed = bytes[typed]
                        bytes[typed] = 0
                        // A UTF-8 continuation byte belongs to the character before it.
                        if removed & 0xC0 != 0x80 { break }
                    }
                    Self.write("\u{8} \u{8}", to: tty)
                case 26:
                    // Input typed so far must not stay in memory while the job is stopped.
                    for index in 0..<typed { bytes[index] = 0 }
                    typed = 0
                    Self.write("\n", to: tty)
                    try stop(tty)
                    Self.write(prompt, to: tty)
                case 32...:
                    guard typed < bytes.count else { continue }
                    bytes[typed] = byte
                    typed += 1
                    if byte & 0xC0 != 0x80 { Self.write(Self.isASCII ? "*" : "·", to: tty) }
                default:
                    continue
                }
            }
        }
        return secret.count > 0 ? secret : nil
    }

    /// Whether another program has this terminal. A process that no shell can stop then reads and sets nothing (EIO, setpgid(2)).
    static func isInBackground(of tty: Int32) -> Bool {
        let reader = tcgetpgrp(tty)
        return reader > 0 && reader != getpgrp()
    }

    func requireInteractive() throws {
        guard isInteractive else { throw noInput ? Failure.mayNotAsk : .needsTerminal }
        try requireNoEnd()
    }

    /// Throws `cancelled` if questions were taken back, or an interrupt came.
    private func requireNoEnd() throws {
        if countersign_interrupted() != 0 || recall?.isTaken == true { throw Failure.cancelled }
    }
}
