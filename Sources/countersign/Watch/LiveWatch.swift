import Agent
import Authenticator
import CTerminal
import Dispatch
import Display
import Glibc
import SCA

/// The live view on a terminal, from one unlock to the next lock or to its end.
struct LiveWatch {
    enum End { case quit, locked }

    private let context: Context
    private let position: Geolocation?
    private let waking: Waking
    private let style: Style = Terminal.allowsColour(on: STDERR_FILENO) ? .ansi : .plain
    private var area = LiveArea()
    private var fatigue = FatigueGuard()

    init(_ context: Context, position: Geolocation?) throws {
        self.context = context
        self.position = position
        waking = try Waking()
        waking.tellResizes()
    }

    /// Shows what waits and takes keys until the person quits; on a lock all is wiped and the PIN asked again.
    mutating func run() async throws {
        var isFirst = true
        while true {
            do {
                guard try await unlocked() == .locked else { return }
            } catch  where !isFirst && Failure(error).mayTryAgain {
                Terminal.say(Failure(error).text)
                continue
            } catch  where !isFirst && Failure(error).kind == .cancelled {
                return
            }
            isFirst = false
            area.wipe()
            // It would only show again what was locked.
            guard context.options.effectivePINFile == nil else {
                throw Failure(.locked, "locked; a PIN file opens no watch again", hint: "countersign watch")
            }
            Terminal.say("Locked. What waits is shown again after the PIN.")
        }
    }

    private mutating func unlocked() async throws -> End {
        try await context.withOperations { operations in
            defer { countersign_terminal_restore() }
            _ = countersign_terminal_silence(STDIN_FILENO)
            return try await operations.watching(waking) { try await show(operations, $0) }
        }
    }

    /// Nothing of what was shown stays, whatever ends it.
    private mutating func show(_ operations: any Operations, _ events: EventQueue) async throws -> End {
        do {
            return try await view(operations, events)
        } catch {
            area.wipe()
            guard Failure(error).kind == .locked else { throw error }
            return .locked
        }
    }

    private mutating func view(_ operations: any Operations, _ events: EventQueue) async throws -> End {
        let answering = Answering(operations: operations, context: context, position: position, waits: true)
        var desk = Desk(answering: answering, fatigue: fatigue)
        defer { fatigue = desk.fatigue }
        var view = WatchView()
        var span = UnlockSpan(from: .now)
        // An agent judges by itself when nobody is here any more, and says so.
        let judges = !operations.locksItself
        while !judges || !span.isOver(at: .now) {
            var said: [String] = []
            for event in try events.drain() {
                if event.event == .locked { return leave(.locked) }
                if event.event == .added || event.event == .changed, let card = event.authorization {
                    desk.fatigue.arrived(card.request, at: .now)
                }
                if let line = view.take(event) { said.append(line) }
            }
            said += view.expire(at: context.clock.now())
            if !said.isEmpty {
                area.erase()
                for line in said { Terminal.say(line) }
            }
            let (columns, rows) = LiveArea.size
            area.draw(
                view.lines(at: context.clock.now(), desk, columns: columns, rows: max(3, rows - 1), style: style))
            let end = judges ? span.end : .now + .seconds(3600)
            let tick = view.isEmpty ? end : min(end, .now + .seconds(1))
            guard let key = await waking.wait(forKeys: true, until: tick) else { continue }
            // A key that comes after the end opens nothing.
            guard !judges || !span.isOver(at: .now) else { break }
            span.use(at: .now)
            try await operations.use()
            if key == UInt8(ascii: "q") || key == Waking.interrupt || key == 4 { return leave(.quit) }
            if key == UInt8(ascii: "s") { view.skip() }
            guard let card = view.selected, "adn".utf8.contains(key) else { continue }
            let (effect, failure) = await prompting(events) {
                switch key {
                case UInt8(ascii: "a"): await desk.approve(card, isShown: false)
                case UInt8(ascii: "d"): await desk.deny(card, isShown: false)
                default: await desk.disown(card, isShown: false)
                }
            }
            if effect == .over {
                await desk.lock()
                return .quit
            }
            // It was a wrong PIN, or it is locked by now.
            if failure?.kind == .locked { try await operations.use() }
            if effect == .decided { view.remove(card.reference) }
            span.use(at: .now)
        }
        return leave(.locked)
    }

    private mutating func leave(_ end: End) -> End {
        area.erase()
        return end
    }

    /// Questions have the terminal for themselves. A lock, or five minutes without an answer, ends the program, so that the card
    /// above it does not stay; a decision on its way is finished first.
    private mutating func prompting<R>(_ events: EventQueue, _ body: () async -> R) async -> R {
        area.erase()
        countersign_terminal_restore()
        let leave = { @Sendable (reason: String) in
            var area = LiveArea()
            area.wipe()
            Terminal.say("Locked: \(reason)")
            kill(getpid(), SIGTERM)
        }
        let patience = DispatchWorkItem { leave("a question was not answered for five minutes.") }
        DispatchQueue(label: "lock").asyncAfter(deadline: .now() + .seconds(300), execute: patience)
        events.whenLocked { leave("the agent was locked, or ended, while a question was open.") }
        let result = await body()
        events.whenLocked(nil)
        patience.cancel()
        _ = countersign_terminal_silence(STDIN_FILENO)
        return result
    }
}
