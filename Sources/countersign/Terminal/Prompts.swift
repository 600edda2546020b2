import Client
import Approvals
import Basics
import Dialogue
import Display
import FoundationEssentials
import Glibc
import Pinentry
import ApprovalModel
import Cryptography
import Keys
import Synchronization

/// Asks the person: on the terminal, or with a pinentry if the settings say so or there is no terminal.
struct Prompts: Sendable {
    private let terminal: Terminal
    /// Asks for PINs, and all other questions if there is no terminal. Nil if a PIN file stands in for the person.
    private let pinentry: Pinentry?
    /// Can take open questions back; nil if nothing does.
    private let recall: QuestionRecall?
    /// Whether a PIN that only opens the vault is typed on the terminal although standard input is none.
    private let opensOnTerminal: Bool
    /// While one request is being answered: closes its windows.
    var windows: DecisionWindows?

    init(_ terminal: Terminal, _ settings: Settings, _ options: Options, recall: QuestionRecall? = nil) {
        self.terminal = terminal
        self.recall = recall
        let environment = Environment.all
        opensOnTerminal = settings.pinPrompt != .pinentry && !terminal.isInteractive && terminal.takesSecrets
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

    /// Whether somebody can be asked.
    var canAsk: Bool { terminal.isInteractive || pinentry != nil }

    /// Whether questions open windows.
    var opensWindows: Bool { pinentry != nil }

    /// Asks for a PIN; `notice` names the error of the last try, `recap` the purpose of the PIN, on the terminal. Nil
    /// if nothing was typed.
    func secret(_ purpose: PINPurpose, recap: [String] = [], notice: String? = nil) throws -> LockedBytes? {
        try Self.tries.withLock { try $0.demandMore() }
        guard let pinentry, !(opensOnTerminal && purpose.isOpening) else {
            guard terminal.isInteractive || opensOnTerminal && purpose.isOpening else { throw purpose.unasked }
            if let notice { Terminal.say(notice) }
            for line in recap { Terminal.say(line) }
            return try terminal.secret(purpose.prompt)
        }
        var question = purpose.question
        question.error = notice.map { DisplayText($0) }
        return try asking { try pinentry.pin(question, cancellation: $0) }
    }

    /// The person whom a dialogue asks.
    var audience: Audience { canAsk ? .person(typesWords: terminal.isInteractive) : .nobody }

    /// Asks for the yes that an undertaking needs, unless an option gave it (`isGiven`). Throws if there is none.
    func demand(_ question: Question, isGiven: Bool, _ need: Agreement.Need = .always) throws {
        var agreement = Agreement(question, isGiven: isGiven, need, before: audience)
        var next = agreement.next()
        while case .ask(let ask) = next { next = agreement.next(try answer(ask)) }
        if case .end(let failure) = next { throw failure }
    }

    /// The connection to claim an action for.
    func walk(_ dialogue: ActionDialogue) throws -> ConnectionPayload {
        var dialogue = dialogue
        var next = dialogue.next()
        while case .ask(let ask) = next { next = dialogue.next(try answer(ask)) }
        switch next {
        case .claim(let connection): return connection
        case .end(let failure): throw failure
        case .ask: throw Failure.cancelled
        }
    }

    /// Asks a question that does not belong to a card.
    func answer(_ ask: Ask) throws -> Answer {
        switch ask {
        case .yesNo(let question):
            for line in question.above { Terminal.say(line) }
            return try confirm(question.sentences.joined(separator: "\n"), PinentryQuestion(question)) ? .yes : .no
        case .denyAll(let crowd):
            try list(crowd)
            return try confirm(crowd.words, .denyAll(crowd, PINPurpose.asker)) ? .yes : .no
        case .connection(let candidates, let isAgain):
            let lines = candidates.map { connection in
                let account = connection.account.map { " · " + DisplayText(answered: $0).line(within: 60) } ?? ""
                return "\(connection.name) · \(DisplayText(answered: connection.host).line)\(account)"
            }
            return try choice("Several connections are with the bank of this action:", lines, isAgain)
        case .link(let hosts, let isAgain):
            let lines = hosts.map { $0.line(within: 60) }
            return try choice("The picture has \(hosts.count) codes:", lines, isAgain)
        case .notice(let lines):
            for line in lines { Terminal.say(line) }
            return .yes
        case .code(let card):
            DeviceNotice.show(card)
            return .yes
        // Its PIN follows.
        case .grant: return .yes
        default: return .no
        }
    }

    /// The titles of these requests, on the terminal.
    private func list(_ crowd: Crowd) throws {
        let references = crowd.cards.map { "  \($0.reference)" }
        let labels = (references.map { TextWidth.columns($0) }.max() ?? 0) + 2
        _ = try terminal.show {
            zip(crowd.cards, references).flatMap { card, reference in
                TextLines.of(TextLines.one(card.title), behind: reference, labels: labels, width: Terminal.columns)
            }
        }
    }

    private func choice(_ heading: String, _ lines: [String], _ isAgain: Bool) throws -> Answer {
        Terminal.say(isAgain ? "That is none of them." : heading)
        for (index, line) in lines.enumerated() where !isAgain {
            let number = "  \(index + 1)"
            TextLines.of(line, behind: number, labels: number.utf8.count + 2, width: Terminal.columns)
                .forEach { Terminal.say($0) }
        }
        return .typed(try terminal.line("Which one, 1 to \(lines.count) (empty cancels)? "))
    }

    /// Asks a yes-or-no question: `words` on the terminal, or `question` in a pinentry if there is none.
    func confirm(_ words: String, _ question: PinentryQuestion) throws -> Bool {
        guard let pinentry, !terminal.isInteractive else { return try terminal.confirm(words) }
        return try asking { try pinentry.confirm(question, cancellation: $0) }
    }

    /// Asks one question of a decision, except for the PIN. A card is shown in windows alone, where they take the PIN; the terminal's own
    /// pages are the caller's.
    func answer(_ ask: Ask, on card: Card, to verdict: Verdict, below recap: [String], at now: Date) throws -> Answer {
        var isCard = false
        if case .card(let isDemanded) = ask {
            guard isDemanded, pinentry != nil else { return .yes }
            isCard = true
        }
        if let pinentry, isCard || !terminal.isInteractive {
            return try ask.drawn(on: card, to: verdict, PINPurpose.asker, at: now).map { try answer($0, by: pinentry) }
                ?? .no
        }
        guard let words = ask.words(on: card, to: verdict) else { return .no }
        switch ask {
        case .agreement: return try terminal.confirm(words, below: recap) ? .yes : .no
        case .caution, .anotherChoice: return try terminal.confirm(words + " Go on?") ? .yes : .no
        default: return try typed(ask, on: card, words)
        }
    }

    private func answer(_ ask: DrawnAsk, by pinentry: Pinentry) throws -> Answer {
        switch ask {
        case .pages(var pages):
            while let page = pages.current {
                pages.take(Answer(try asking { try pinentry.choose(page, cancellation: $0) }))
            }
            return pages.end ?? .no
        case .yesNo(let question): return try asking { try pinentry.confirm(question, cancellation: $0) } ? .yes : .no
        case .choice(let question): return Answer(try asking { try pinentry.choose(question, cancellation: $0) })
        case .text(let question):
            return try asking { try pinentry.pin(question, cancellation: $0) }.map { Answer(typed: $0) } ?? .no
        }
    }

    private func typed(_ ask: Ask, on card: Card, _ words: String) throws -> Answer {
        guard case .option(let options, let isAgain) = ask else { return .typed(try terminal.line(words + ": ")) }
        if isAgain {
            Terminal.say("That is none of them.")
        } else {
            Terminal.say(words + ":")
            for (index, option) in options.enumerated() {
                let number = card.hasNumberedOptions ? "  \(index + 1)" : ""
                let labels = number.isEmpty ? 2 : number.utf8.count + 2
                // No option can begin a line like another one's.
                TextLines.of(option, behind: number, labels: labels, width: Terminal.columns)
                    .forEach { Terminal.say($0) }
            }
        }
        let typed = try terminal.line("Which one (empty cancels)? ")
        return typed.isEmpty ? .no : .typed(typed)
    }

    /// Announces a window that the keyring shows while `wait` runs. Throws `cancelled` if the person does not want a
    /// new keyring.
    func awaitKeyring(_ question: KeyringQuestion, _ keyring: Keyring, _ wait: () throws -> Void) throws {
        if question == .create, !terminal.isInteractive, let pinentry {
            let words = PinentryQuestion(
                "Make a place for the keys", details: [DisplayText(question.words(keyring)), PINPurpose.asker])
            guard try asking({ try pinentry.confirm(words, cancellation: $0) }) else { throw Failure.cancelled }
        }
        try terminal.awaiting(question.words(keyring), wait)
    }

    /// Whether to ask for the PIN again. All questions of one command count together.
    func mayAskAgain(after failure: Failure) -> Bool { Self.tries.withLock { $0.mayAskAgain(after: failure) } }

    /// Starts counting again, since each key of the live view is like a command of its own.
    func forgetWrongPINs() { Self.tries.withLock { $0 = PINTries() } }

    private static let tries = Mutex(PINTries())

    /// Asks with a pinentry. It may use our terminal, and leaves it in any state if it is killed.
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
            throw error == .cancelled
                ? Failure.cancelled
                : Failure(
                    .locked, error.reason,
                    hint: "run it on a terminal, or see --pin-file; pin_prompt and pinentry in the settings choose")
        }
    }
}
