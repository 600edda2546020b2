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

    /// Shows what waits and takes keys until the person quits; after five minutes without one all is wiped, the vault shut,
    /// and the PIN asked again.
    mutating func run() async throws {
        var vault: (any OpenVault)? = try context.open()
        while let open = vault {
            // The vault is wiped when this lets go of it.
            vault = nil
            guard try await unlocked(open) == .locked else { return }
            area.wipe()
            Terminal.say("Locked: no key was pressed for five minutes.")
            vault = try unlock()
        }
    }

    private func unlock() throws -> (any OpenVault)? {
        while true {
            do {
                return try context.open()
            } catch let error as PINError where error.code == .wrong {
                Terminal.say(Failure(error).text)
            } catch let error as Failure where error.kind == .cancelled {
                return nil
            }
        }
    }

    private mutating func unlocked(_ vault: any OpenVault) async throws -> End {
        defer { countersign_terminal_restore() }
        _ = countersign_terminal_silence(STDIN_FILENO)
        return try await context.withSession(on: vault) { session in
            try await session.watching(waking) { try await show(session, $0) }
        }
    }

    private mutating func show(_ session: Session, _ events: EventQueue) async throws -> End {
        let answering = Answering(session: session, context: context, position: position, waits: true)
        var desk = Desk(answering: answering, fatigue: fatigue)
        defer { fatigue = desk.fatigue }
        var view = WatchView()
        var span = UnlockSpan(from: .now)
        while !span.isOver(at: .now) {
            var said: [String] = []
            for event in try events.drain() {
                if case .added(let item) = event { desk.fatigue.arrived(item.authorization, at: .now) }
                if case .changed(let item) = event { desk.fatigue.arrived(item.authorization, at: .now) }
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
            let tick = view.isEmpty ? span.end : min(span.end, .now + .seconds(1))
            guard let key = await waking.wait(forKeys: true, until: tick) else { continue }
            // A key that comes after the end opens nothing.
            guard !span.isOver(at: .now) else { break }
            span.use(at: .now)
            if key == UInt8(ascii: "q") || key == Waking.interrupt || key == 4 { break }
            if key == UInt8(ascii: "s") { view.skip() }
            guard let item = view.selected, "adn".utf8.contains(key) else { continue }
            let effect = await prompting {
                switch key {
                case UInt8(ascii: "a"): await desk.approve(item, isShown: false).0
                case UInt8(ascii: "d"): await desk.deny(item, isShown: false).0
                default: await desk.disown(item, isShown: false).0
                }
            }
            if effect == .over { return .quit }
            if effect == .decided { view.remove(item) }
            span.use(at: .now)
        }
        area.erase()
        return span.isOver(at: .now) ? .locked : .quit
    }

    /// Questions have the terminal for themselves. One that nobody answers for five minutes ends the program, so that the card
    /// above it does not stay; a decision on its way is finished first.
    private mutating func prompting<R>(_ body: () async -> R) async -> R {
        area.erase()
        countersign_terminal_restore()
        let lock = DispatchWorkItem {
            var area = LiveArea()
            area.wipe()
            Terminal.say("Locked: a question was not answered for five minutes.")
            kill(getpid(), SIGTERM)
        }
        DispatchQueue(label: "lock").asyncAfter(deadline: .now() + .seconds(300), execute: lock)
        let result = await body()
        lock.cancel()
        _ = countersign_terminal_silence(STDIN_FILENO)
        return result
    }
}
