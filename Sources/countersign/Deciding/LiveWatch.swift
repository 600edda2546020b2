import Client
import Approvals
import Basics
import CTerminal
import Dialogue
import Display
import Glibc
import ApprovalModel

/// The live view on a terminal. It goes on after each lock with a new unlock.
struct LiveWatch {
    private enum End {
        case quit, locked
        /// Locked during a decision: the screen was wiped, and now shows its outcome.
        case lockedAndWiped
    }

    private let context: Context
    private let position: Geolocation?
    private let keyWait: KeyWait
    private let recall: QuestionRecall
    private let style: Style = Terminal.allowsColour(on: STDERR_FILENO) ? .ansi : .plain
    private var area = LiveArea()
    private var fatigue = FatigueGuard()
    /// Whether the terminal's bell rings for a new request.
    private var rings: Bool

    /// `isSilent`: no bell, even if the settings ask for it.
    init(_ options: GlobalOptions, position: Geolocation?, isSilent: Bool) throws {
        recall = try QuestionRecall()
        context = try Context(options, recall: recall)
        rings = !isSilent && context.settings.bell
        self.position = position
        keyWait = try KeyWait()
        keyWait.tellResizes()
    }

    /// Shows the waiting requests and takes keys until the person quits. After a lock, wipes the screen and asks for
    /// the PIN again.
    mutating func run() async throws {
        // Also while the PIN is checked, because typed-ahead keys may be a PIN.
        _ = countersign_terminal_quiet(STDIN_FILENO)
        defer { countersign_terminal_end_quiet() }
        var isFirst = true
        while true {
            do {
                switch try await unlocked() {
                case .quit: return
                case .locked: area.wipe()
                case .lockedAndWiped: break
                }
            } catch  where !isFirst && Failure(error).mayTryAgain {
                Terminal.say(Failure(error))
                continue
            } catch  where !isFirst && Failure(error).kind == .cancelled {
                return
            }
            isFirst = false
            // A PIN file would only show the locked content again.
            guard context.options.effectivePINFile == nil else {
                throw Failure(.locked, "locked; a PIN file opens no watch again", hint: "countersign watch")
            }
            guard try await goesOn() else { return }
        }
    }

    /// After a lock: waits until the person presses Enter or the agent is opened elsewhere. False if the person quits.
    private mutating func goesOn() async throws -> Bool {
        if let agent = try? context.agent() { return await showLocked(agent.approvals) }
        guard recall.hasCutTyping else {
            Terminal.say("Locked. What waits is shown again after the PIN.")
            return true
        }
        Terminal.say(Self.locked)
        return await isAskedToGoOn()
    }

    private static let locked = "Locked. Press Enter to type the PIN; what waits is shown again after it."

    /// Waits for Enter, and drops input that was being typed when the question went away: it may be part of a PIN, and
    /// would count as a wrong one. False if the person quits.
    private func isAskedToGoOn() async -> Bool {
        while true {
            guard let key = await keyWait.wait(forKeys: true, until: .now + .seconds(3600)) else { continue }
            if key.isEnter || key.isEnd { return key.isEnter }
        }
    }

    /// Like `isAskedToGoOn`, while an agent reports how many requests wait. Also returns true if the agent is opened
    /// elsewhere, or ends.
    private mutating func showLocked(_ agent: Carrier<any ApprovalHost>) async -> Bool {
        let result = try? await agent.watching(keyWait) { events in
            var view = LockedView()
            while true {
                for event in try events.drain() where view.take(event) == .opened { return true }
                if view.takeNews() { ring() }
                let (columns, rows) = LiveArea.size
                area.draw(view.lines(Self.locked, columns: columns, rows: max(1, rows - 1)))
                guard let key = await keyWait.wait(forKeys: true, until: .now + .seconds(3600)) else { continue }
                if key.isEnter || key.isEnd { return key.isEnter }
            }
        }
        area.erase()
        return result ?? true
    }

    private func ring() {
        if rings { Terminal.draw("\u{7}") }
    }

    /// Runs one unlock. The terminal stays without echo after a lock, since the person may go on typing a PIN.
    private mutating func unlocked() async throws -> End {
        recall.renew()
        context.prompts.forgetWrongPINs()
        return try await context.with(.approvals) { operations in
            _ = countersign_terminal_silence(STDIN_FILENO)
            countersign_terminal_mark_pastes()
            defer { countersign_terminal_end_pastes() }
            return try await operations.watching(keyWait) { try await show(operations, $0) }
        }
    }

    /// Runs the view, and wipes everything it has shown if it ends with an error.
    private mutating func show(_ operations: Carrier<any ApprovalHost>, _ events: IncomingEvents) async throws -> End {
        do {
            return try await view(operations, events)
        } catch {
            area.wipe()
            guard Failure(error).kind == .locked else { throw error }
            return .locked
        }
    }

    private mutating func view(_ operations: Carrier<any ApprovalHost>, _ events: IncomingEvents) async throws -> End {
        let answering = Answering(
            operations: operations, context: context, position: position, waits: true, isByKey: true, events: events)
        var actions = KeyActions(answering: answering, fatigue: fatigue)
        defer { fatigue = actions.fatigue }
        var view = WatchView(openedAt: context.clock.now())
        // An agent notices by itself when the person is away, and reports the lock.
        var span = operations.locksItself ? nil : UnlockSpan(from: .now)
        while span?.isOver(at: .now) != true {
            var said: [String] = []
            for event in try events.drain() {
                switch event.kind {
                case .locked: return leave(.locked)
                case .added(let card), .changed(let card): actions.fatigue.arrived(card.request, at: .now)
                case .removed, .decided, .failure, .recovered, .heard, .unlocked, .waiting: break
                }
                if let news = view.list.take(event) { said.append(news.line) }
            }
            said += view.list.expire(at: context.clock.now()).map(\.line)
            if view.list.takeNews() { ring() }
            if !said.isEmpty {
                area.erase()
                for line in said { Terminal.say(line) }
            }
            let (columns, rows) = LiveArea.size
            area.draw(
                view.lines(
                    at: context.clock.now(), actions, columns: columns, rows: max(3, rows - 1), style: style,
                    rings: rings)
            )
            let limit = span?.end ?? .now + .seconds(3600)
            let tick = view.list.isEmpty ? limit : min(limit, .now + .seconds(1))
            guard let key = await keyWait.wait(forKeys: true, until: tick) else { continue }
            // A key pressed after the end must do nothing.
            guard span?.isOver(at: .now) != true else { break }
            span?.use(at: .now)
            try await operations.use()
            if key == Key("q") || key.isEnd { return leave(.quit) }
            if let link = await link(key, events, until: span?.end) {
                if let card = await take(link, operations, events, until: span?.end) { view.bring(card) }
                if recall.isTaken {
                    _ = try events.drain()
                    return .locked
                }
                span?.use(at: .now)
                continue
            }
            let shown = view.selected
            if view.press(key) { continue }
            if key == Key("b") { rings.toggle() }
            guard let card = shown,
                let series = KeyActions.series(of: key, on: card, among: view.list.cards, isShown: false)
            else { continue }
            let end = await prompting(events, until: span?.end) {
                await actions.carry(series, on: card, blank: Self.blank)
            }
            if case .lock = end {
                await actions.lock()
                return .quit
            }
            if recall.isTaken {
                // Throws if the lock was in fact the end of the events.
                _ = try events.drain()
                return end == .done(nil) || end.failure?.kind == .unknown ? .lockedAndWiped : .locked
            }
            // Either the PIN was wrong, or the vault is locked now; the latter throws here.
            if end.isLast { try await operations.use() }
            if end == .done(nil) { view.list.remove(card.reference) }
            span?.use(at: .now)
        }
        return leave(.locked)
    }

    /// Clears the screen, including the card above a question.
    private static func blank() {
        var area = LiveArea()
        area.wipe()
    }

    private mutating func leave(_ end: End) -> End {
        area.erase()
        return end
    }

    /// Gives the terminal to the questions of `body`. A lock, or the end of the unlock, takes the questions back and
    /// wipes the card above them; a decision under way is finished first.
    private mutating func prompting<R>(
        _ events: IncomingEvents, until end: ContinuousClock.Instant?, _ body: () async -> R
    ) async -> R {
        area.erase()
        countersign_terminal_restore()
        recall.renew(until: end)
        context.prompts.forgetWrongPINs()
        let takeBack = { @Sendable [recall] in
            recall.take()
            Self.blank()
        }
        events.whenLocked(takeBack)
        let result = await body()
        events.whenLocked(nil)
        _ = countersign_terminal_silence(STDIN_FILENO)
        countersign_terminal_mark_pastes()
        return result
    }

    // MARK: Links

    /// The link that a key brings: pasted, or typed after its own key on terminals that do not mark pastes. Nil for any other key.
    private mutating func link(
        _ key: Key, _ events: IncomingEvents, until end: ContinuousClock.Instant?
    ) async -> String? {
        switch key {
        case .pasted(let text): return text ?? String(repeating: "x", count: 16385)
        case Key("l"):
            return await prompting(events, until: end) { [context] in
                (try? context.terminal.paste("Link (empty cancels): ")) ?? ""
            }
        default: return nil
        }
    }

    /// Claims the request in a link, which sends nothing. Shows errors.
    private mutating func take(
        _ link: String, _ operations: Carrier<any ApprovalHost>, _ events: IncomingEvents,
        until end: ContinuousClock.Instant?
    ) async -> Card? {
        let isBlank = link.allSatisfy(\.isWhitespace)
        guard !isBlank else { return nil }
        return await prompting(events, until: end) { [context] in
            do {
                let ref = try await RequestName.link(try RequestName.request(link, context)).reference(
                    context, operations, connection: nil, isListed: true)
                return try await operations.perform(ApprovalVerbs.authorization, on: ref, CardOptions())
            } catch {
                let failure = Failure(error)
                if failure.kind != .cancelled { Terminal.say(failure) }
                return nil
            }
        }
    }
}
