import Authenticator
import Basics
import Display
import FoundationEssentials
import Glibc
import Pinentry
import SCA
import SCACrypto
import Synchronization

/// Questions to the person: on the terminal, or at a pinentry where the settings say so or no terminal is there.
struct Prompts: Sendable {
    private let terminal: Terminal
    /// Takes the PINs, and the questions when there is no terminal. Nil where a PIN file stands in for the person.
    private let pinentry: Pinentry?
    /// Takes open questions back, where somebody may.
    private let recall: Recall?
    /// While one request is answered: what closes the windows about it.
    var windows: RequestWindows?

    init(_ terminal: Terminal, _ settings: Settings, _ options: Options, recall: Recall? = nil) {
        self.terminal = terminal
        self.recall = recall
        let environment = Environment.all
        let usesPinentry =
            switch settings.pinPrompt {
            case .terminal: false
            case .pinentry: true
            case .auto: !terminal.isInteractive && Pinentry.hasDisplay(environment)
            }
        pinentry =
            usesPinentry && !options.noInput && options.effectivePINFile == nil
            ? Pinentry(program: settings.pinentry, environment: environment, tty: Terminal.name) : nil
    }

    /// Whether there is somebody to ask.
    var canAsk: Bool { terminal.isInteractive || pinentry != nil }

    /// Whether windows are opened.
    var opensWindows: Bool { pinentry != nil }

    /// Asks for a PIN; `notice` is what went wrong before. Nil when nothing was typed.
    func secret(_ purpose: PINPurpose, notice: String? = nil) throws -> LockedBytes? {
        guard Self.wrongPINs.withLock({ $0 < Self.mostWrongPINs }) else {
            throw Failure(.locked, "three wrong PINs; one command takes no more", hint: "run it again")
        }
        guard let pinentry else {
            guard terminal.isInteractive else { throw purpose.unasked }
            if let notice { Terminal.say(notice) }
            return try terminal.secret(purpose.prompt)
        }
        var question = purpose.question
        question.error = notice.map { DisplayText($0) }
        return try asking { try pinentry.pin(question, cancellation: $0) }
    }

    /// Shows the whole card in the windows of a pinentry where that takes the PIN: it may stand far from the terminal, and who types
    /// it sees there what it is for. False when the person does not go on.
    func show(_ card: Card, to verdict: Verdict, at now: Date) throws -> Bool {
        guard let pinentry else { return true }
        return try PinentryQuestion.pages(of: card, to: verdict, PINPurpose.asker, at: now).allSatisfy { page in
            try asking { try pinentry.confirm(page, cancellation: $0) }
        }
    }

    /// Asks a yes-or-no question: `words` on the terminal, else `question` at the pinentry.
    func confirm(_ words: String, _ question: PinentryQuestion) throws -> Bool {
        guard let pinentry, !terminal.isInteractive else { return try terminal.confirm(words) }
        return try asking { try pinentry.confirm(question, cancellation: $0) }
    }

    /// Asks which option the other side shows. Throws `cancelled` when none is typed.
    func option(of card: Card, among options: [String]) throws -> String {
        guard let pinentry, !terminal.isInteractive else { return try optionOnTerminal(of: card, among: options) }
        var question = PinentryQuestion.choose(card, options, PINPurpose.asker)
        for _ in 1...3 {
            guard let typed = try asking({ [question] in try pinentry.pin(question, cancellation: $0) }) else {
                throw Failure.cancelled
            }
            if let option = card.option(typed: typed.withBytes { String(decoding: $0, as: UTF8.self) }) {
                return option
            }
            question.error = DisplayText("That is none of them")
        }
        throw Failure.cancelled
    }

    private func optionOnTerminal(of card: Card, among options: [String]) throws -> String {
        Terminal.say("Choose what the other side shows:")
        for (index, option) in options.enumerated() {
            Terminal.say(card.hasNumberedOptions ? "  \(index + 1)  \(option)" : "  \(option)")
        }
        while true {
            let typed = try terminal.line("Which one (empty cancels)? ")
            if typed.isEmpty { throw Failure.cancelled }
            if let option = card.option(typed: typed) { return option }
            Terminal.say("That is none of them.")
        }
    }

    /// Tells the person of a window that the keyring shows while `wait` runs. Throws `cancelled` when no keyring is to be made.
    func awaitKeyring(_ question: KeyringQuestion, _ keyring: Keyring, _ wait: () throws -> Void) throws {
        if question == .create, !terminal.isInteractive, let pinentry {
            let words = PinentryQuestion(
                "Make a place for the keys", details: [DisplayText(question.words(keyring)), PINPurpose.asker])
            guard try asking({ try pinentry.confirm(words, cancellation: $0) }) else { throw Failure.cancelled }
        }
        try terminal.awaiting(question.words(keyring), wait)
    }

    /// Notes a wrong PIN. It is asked for again, thrice in one command: who types the next try types it here, not in the shell.
    func mayAskAgain() -> Bool {
        Self.wrongPINs.withLock { count in
            count += 1
            return count < Self.mostWrongPINs
        }
    }

    /// Each key of a live view is as good as a command.
    func forgetWrongPINs() { Self.wrongPINs.withLock { $0 = 0 } }

    private static let mostWrongPINs = 3
    private static let wrongPINs = Mutex(0)

    /// A pinentry may use our terminal, and leaves it as it is when it is killed.
    private func asking<R>(_ body: (PinentryCancellation) throws -> R) throws -> R {
        let cancellation = PinentryCancellation()
        func window() throws -> R {
            guard let windows else { return try body(cancellation) }
            return try windows.asking(cancellation) { try body(cancellation) }
        }
        func question() throws -> R {
            guard let recall else { return try window() }
            return try recall.asking(cancellation, window)
        }
        do {
            return try terminal.isInteractive ? Terminal.keepingState(question) : question()
        } catch let error as PinentryError {
            throw error.code == .cancelled
                ? Failure.cancelled
                : Failure(
                    .locked, error.reason,
                    hint: "run it on a terminal, or see --pin-file; pin_prompt and pinentry in the settings choose")
        }
    }
}
