internal import Glibc
public import SCACrypto

/// Asks the person through a pinentry, the program that GnuPG asks with: a window, or a page on a terminal, of its own.
///
/// Each question is one process, which is spoken to in Assuan ("Developing with Assuan"; pinentry's manual, chapter
/// "Protocol"). Calls block until the person answers. A pinentry that hangs, crashes or babbles is an error, and is killed
/// and reaped in every case. It is never told that it may keep a PIN (`allow-external-password-cache`).
public struct Pinentry: Sendable {
    /// The longest waits.
    public struct Limits: Sendable {
        /// For the pinentry, beyond the time it has for the person.
        public var program: Duration
        /// For the person, in whole seconds.
        public var person: Int

        public init(program: Duration = .seconds(20), person: Int = 180) {
            self.program = program
            self.person = person
        }
    }

    private let program: String
    private let environment: [String: String]
    private let tty: String?
    private let limits: Limits

    /// - Parameters:
    ///   - program: A path, or a name to look for in PATH.
    ///   - environment: Of the client that asks: its display, terminal type and locale are told to the pinentry, and it is
    ///     started with all of it.
    ///   - tty: The client's terminal, where it has one.
    public init(program: String, environment: [String: String], tty: String?, limits: Limits = Limits()) {
        self.program = program
        self.environment = environment
        self.tty = tty
        self.limits = limits
    }

    /// The path of the program that would be started; nil when it is none, or none that may be run.
    public static func find(_ program: String, environment: [String: String]) -> String? {
        guard !program.contains("/") else { return access(program, X_OK) == 0 ? program : nil }
        let directories = (environment["PATH"] ?? "/bin:/usr/bin").split(separator: ":")
        return directories.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    }

    /// Whether a window can be opened with this environment.
    public static func hasDisplay(_ environment: [String: String]) -> Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0].map { !$0.isEmpty } ?? false }
    }

    /// Whether something listens for the display of this environment, so far as can be seen: a display on another machine, or one
    /// of X without a socket, is taken for missing.
    public static func isThere(_ environment: [String: String], runtimeDirectory: String?) -> Bool {
        if let name = environment["WAYLAND_DISPLAY"], !name.isEmpty {
            let directory = runtimeDirectory ?? "/run/user/\(getuid())"
            if access(name.hasPrefix("/") ? name : "\(directory)/\(name)", F_OK) == 0 { return true }
        }
        // `:1` and `:1.0`.
        guard let name = environment["DISPLAY"], name.hasPrefix(":") else { return false }
        return access("/tmp/.X11-unix/X\(name.dropFirst().prefix { $0 != "." })", F_OK) == 0
    }

    /// Asks for a PIN; nil when none was typed. With `cancellation` the question can be taken back.
    ///
    /// Throws `PinentryError`, `cancelled` among them, and `CryptoError` when there is no locked memory.
    public func pin(_ question: PinentryQuestion, cancellation: PinentryCancellation? = nil) throws -> LockedBytes? {
        let pin = try ask("GETPIN", question, cancellation)
        return pin.flatMap { $0.count > 0 ? $0 : nil }
    }

    /// Asks a question that is answered by yes or no. Throws as `pin` does, but dismissing is a no, and so is taking back.
    public func confirm(_ question: PinentryQuestion, cancellation: PinentryCancellation? = nil) throws -> Bool {
        do {
            _ = try ask("CONFIRM", question, cancellation)
            return true
        } catch let error as PinentryError where error.code == .cancelled {
            return false
        }
    }

    /// Tells something, until it is dismissed or the person's time is over. Throws as `pin` does.
    public func message(_ question: PinentryQuestion) throws {
        do {
            _ = try ask("MESSAGE", question, nil)
        } catch let error as PinentryError where error.code == .cancelled {}
    }

    private func ask(
        _ command: String, _ question: PinentryQuestion, _ cancellation: PinentryCancellation?
    ) throws -> LockedBytes? {
        let process = try AssuanProcess(program, environment: environment, cancellation: cancellation)
        try cancellation?.begin(on: process.socket)
        do {
            return try converse(process, command, question)
        } catch {
            throw cancellation?.isCancelled == true ? PinentryError.takenBack : error
        }
    }

    private func converse(
        _ process: borrowing AssuanProcess, _ command: String, _ question: PinentryQuestion
    ) throws -> LockedBytes? {
        try process.answer(by: soon)
        for option in options { try tell(process, "OPTION", option, isNeeded: false) }
        try tell(process, "SETTIMEOUT", String(limits.person), isNeeded: false)
        let window = PinentryWindow(flavor: try flavor(of: process))
        let (headline, asksPIN) = (question.headline.description, command == "GETPIN")
        try tell(process, "SETTITLE", "Countersign: \(headline)", isNeeded: false)
        try tell(process, "SETOK", question.ok.description, isNeeded: false)
        try tell(process, "SETCANCEL", question.cancel.description, isNeeded: false)
        try tell(
            process, "SETDESC", question.lines(in: window, asksPIN: asksPIN).joined(separator: "\n"))
        // A question without a PIN has no prompt but GNOME's.
        try tell(
            process, "SETPROMPT", asksPIN && window != .headlined ? question.prompt.description : headline)
        if let error = question.error { try tell(process, "SETERROR", error.line) }
        defer {
            // What was asked is answered or failed; a pinentry that does not leave now is killed.
            try? process.send(Array("BYE".utf8))
            try? process.awaitEnd(by: .now + min(limits.program, .seconds(2)))
        }
        return try process.transact(Array(command.utf8), by: soon + .seconds(limits.person))
    }

    /// Nil where it does not say.
    private func flavor(of process: borrowing AssuanProcess) throws -> String? {
        do {
            let answer = try process.transact(Array("GETINFO flavor".utf8), by: soon)
            return answer?.withBytes { String(decoding: $0, as: UTF8.self) }
        } catch let error as PinentryError where error.code == .refused { return nil }
    }

    private var soon: ContinuousClock.Instant { .now + limits.program }

    /// Not every pinentry knows every option; but one that will not show what it is asking for must not ask.
    private func tell(
        _ process: borrowing AssuanProcess, _ command: String, _ text: String, isNeeded: Bool = true
    ) throws {
        do {
            try process.transact(AssuanText.line(command, text), by: soon)
        } catch let error as PinentryError where !isNeeded && error.code == .refused {}
    }

    /// Where the person sits, as `NAME=VALUE`.
    private var options: [String] {
        func value(_ names: String...) -> String? { names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } }
        let locale = value("LC_ALL", "LC_CTYPE", "LANG") ?? ""
        // Where a locale has no room for a bank's words pinentry-curses asks nothing at all.
        let isUTF8 = locale.lowercased().filter { $0 != "-" }.contains("utf8")
        let all = [
            ("ttyname", tty), ("ttytype", value("TERM")), ("lc-ctype", isUTF8 ? locale : "C.UTF-8"),
            ("display", value("DISPLAY")), ("wayland-display", value("WAYLAND_DISPLAY")),
            ("xauthority", value("XAUTHORITY")),
        ]
        return all.compactMap { name, value in value.map { "\(name)=\($0)" } }
    }
}
