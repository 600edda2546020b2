internal import Glibc
package import Cryptography

/// Asks the person through a pinentry, the program that GnuPG uses for its questions. It opens a window, or draws on a
/// terminal.
///
/// Each question starts one process and talks to it in Assuan ("Developing with Assuan"; pinentry's manual, chapter
/// "Protocol"). The protocol is written here, without libassuan: a line may contain the PIN and is read straight into
/// locked memory, which a library with buffers of its own would not do, and few parts of the protocol are needed. Calls
/// block until the person answers. A pinentry that hangs, crashes or sends too much is an error. It is killed and
/// reaped in every case, and never allowed to keep a PIN (`allow-external-password-cache`).
package struct Pinentry: Sendable {
    /// How long to wait at most.
    package struct Limits: Sendable {
        /// For the pinentry, in addition to the person's time.
        package var program: Duration
        /// For the person's answer, in whole seconds.
        package var person: Int

        package init(program: Duration = .seconds(20), person: Int = 180) {
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
    ///   - environment: The environment of the client that asks. The pinentry starts with it, and gets its display,
    ///     terminal type and locale.
    ///   - tty: The path of the client's terminal, if it has one.
    package init(program: String, environment: [String: String], tty: String?, limits: Limits = Limits()) {
        self.program = program
        self.environment = environment
        self.tty = tty
        self.limits = limits
    }

    /// The path of the program that would be started; nil when there is none, or it may not be executed.
    package static func find(_ program: String, environment: [String: String]) -> String? {
        guard !program.contains("/") else { return access(program, X_OK) == 0 ? program : nil }
        let directories = (environment["PATH"] ?? "/bin:/usr/bin").split(separator: ":")
        return directories.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    }

    /// Whether a window can be opened with this environment.
    package static func hasDisplay(_ environment: [String: String]) -> Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0].map { !$0.isEmpty } ?? false }
    }

    /// Whether a server for the display of this environment is running, as far as this can be seen: a display on
    /// another machine, or an X display without a socket, counts as missing.
    package static func isThere(_ environment: [String: String], runtimeDirectory: String?) -> Bool {
        if let name = environment["WAYLAND_DISPLAY"], !name.isEmpty {
            let directory = runtimeDirectory ?? "/run/user/\(getuid())"
            if access(name.hasPrefix("/") ? name : "\(directory)/\(name)", F_OK) == 0 { return true }
        }
        // Displays on this machine are written `:1` or `:1.0`.
        guard let name = environment["DISPLAY"], name.hasPrefix(":") else { return false }
        return access("/tmp/.X11-unix/X\(name.dropFirst().prefix { $0 != "." })", F_OK) == 0
    }

    /// Asks for a PIN; nil when none was typed. Another thread can take the question back with `cancellation`.
    ///
    /// Throws `PinentryError` (`cancelled` when the person or `cancellation` ends the question), and `CryptoError` when
    /// there is no locked memory.
    package func pin(_ question: PinentryQuestion, cancellation: PinentryCancellation? = nil) throws -> LockedBytes? {
        let pin = try ask("GETPIN", question, cancellation)
        return pin.flatMap { $0.count > 0 ? $0 : nil }
    }

    /// Asks a yes-or-no question. Throws as `pin` does, except that a question that was dismissed or taken back counts
    /// as no.
    package func confirm(_ question: PinentryQuestion, cancellation: PinentryCancellation? = nil) throws -> Bool {
        do {
            _ = try ask("CONFIRM", question, cancellation)
            return true
        } catch PinentryError.cancelled {
            return false
        }
    }

    /// Asks a question with three buttons; a question that was dismissed or taken back counts as cancelled. GNOME's windows have only
    /// two: there the second one leads to another window with `other` and `cancel`. Throws as `pin` does.
    package func choose(
        _ question: PinentryQuestion, cancellation: PinentryCancellation? = nil
    ) throws -> PinentryChoice {
        do {
            _ = try ask("CONFIRM", question, cancellation)
            return .ok
        } catch PinentryError.cancelled {
            return .cancel
        } catch PinentryError.declined {
            return .other
        } catch PinentryError.undecided {
            guard let other = question.other else { return .cancel }
            let second = PinentryQuestion(
                question.headline, details: question.details, ok: other, cancel: question.cancel)
            return try confirm(second, cancellation: cancellation) ? .other : .cancel
        }
    }

    /// Shows a message until the person dismisses it, it is taken back, or the time is over. Throws as `pin` does.
    package func message(_ question: PinentryQuestion, cancellation: PinentryCancellation? = nil) throws {
        do {
            _ = try ask("MESSAGE", question, cancellation)
        } catch PinentryError.cancelled {}
    }

    private func ask(
        _ command: String, _ question: PinentryQuestion, _ cancellation: PinentryCancellation?
    ) throws -> LockedBytes? {
        let process = try AssuanProcess(program, environment: environment, cancellation: cancellation)
        try cancellation?.begin(on: process.socket)
        do {
            return try converse(process, command, question)
        } catch {
            throw cancellation?.isCancelled == true ? PinentryError.cancelled : error
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
        let hasThird = try setOther(of: question, command, in: window, process)
        try tell(process, "SETCANCEL", cancelLabel(of: question, hasThird: hasThird), isNeeded: false)
        try tell(
            process, "SETDESC", question.lines(in: window, asksPIN: asksPIN).joined(separator: "\n"))
        // Of questions without a PIN, only GNOME's pinentry shows the prompt.
        try tell(
            process, "SETPROMPT", asksPIN && window != .headlined ? question.prompt.label : headline)
        if let error = question.error { try tell(process, "SETERROR", error.line) }
        defer {
            // The question is answered or has failed. A pinentry that does not end now is killed.
            try? process.send(Array("BYE".utf8))
            try? process.awaitEnd(by: .now + min(limits.program, .seconds(2)))
        }
        do {
            return try process.transact(Array(command.utf8), by: soon + .seconds(limits.person))
        } catch let error as PinentryError where error == .cancelled || error == .declined {
            switch hasThird {
            case true?: throw error
            case false?: throw PinentryError.undecided
            case nil: throw PinentryError.cancelled
            }
        }
    }

    /// Labels the third button. Returns whether this window has one; nil if the question has none.
    private func setOther(
        of question: PinentryQuestion, _ command: String, in window: PinentryWindow, _ process: borrowing AssuanProcess
    ) throws -> Bool? {
        guard command == "CONFIRM", let other = question.other else { return nil }
        guard window.hasThirdButton else { return false }
        do {
            try process.transact(AssuanText.line("SETNOTOK", other.description), by: soon)
            return true
        } catch PinentryError.refused { return false }
    }

    /// Where there is no third button, the second one names it, and leads to a window of its own.
    private func cancelLabel(of question: PinentryQuestion, hasThird: Bool?) -> String {
        if hasThird == false, let other = question.other { return "\(other) …" }
        return question.cancel.description
    }

    /// The flavor that the pinentry names; nil when it does not answer.
    private func flavor(of process: borrowing AssuanProcess) throws -> String? {
        do {
            let answer = try process.transact(Array("GETINFO flavor".utf8), by: soon)
            return answer?.withBytes { String(decoding: $0, as: UTF8.self) }
        } catch PinentryError.refused { return nil }
    }

    private var soon: ContinuousClock.Instant { .now + limits.program }

    /// Sends one command with a text. Throws when the pinentry refuses it, since it must not ask without showing the
    /// purpose. With `isNeeded` false a refusal is ignored, since not every pinentry knows every option.
    private func tell(
        _ process: borrowing AssuanProcess, _ command: String, _ text: String, isNeeded: Bool = true
    ) throws {
        do {
            try process.transact(AssuanText.line(command, text), by: soon)
        } catch PinentryError.refused where !isNeeded {}
    }

    /// The person's display, terminal and locale, as options `NAME=VALUE`.
    private var options: [String] {
        func value(_ names: String...) -> String? { names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } }
        let locale = value("LC_ALL", "LC_CTYPE", "LANG") ?? ""
        // pinentry-curses asks nothing at all when the locale cannot represent the bank's words.
        let isUTF8 = locale.lowercased().filter { $0 != "-" }.contains("utf8")
        let all = [
            ("ttyname", tty), ("ttytype", value("TERM")), ("lc-ctype", isUTF8 ? locale : "C.UTF-8"),
            ("display", value("DISPLAY")), ("wayland-display", value("WAYLAND_DISPLAY")),
            ("xauthority", value("XAUTHORITY")),
        ]
        return all.compactMap { name, value in value.map { "\(name)=\($0)" } }
    }
}
