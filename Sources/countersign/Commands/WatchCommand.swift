import ArgumentParser
import Authenticator
import CTerminal
import Display
import Glibc
import SCA

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Ask the banks all the time, show each request as it comes, and take your answer.",
        usage: "countersign watch [--once] [<options>]",
        discussion: """
              countersign watch

            Keys: a approves (card, then PIN), d denies, s skips, n means that this was not you, q quits. After five \
            minutes without a key everything is blanked and the PIN asked again.

            For programs, one event a line until interrupted:

              countersign watch --json --pin-file pin
            """)

    @Flag(help: "One round: each card in turn, then the end.") var once = false
    @Option(help: ArgumentHelp("Your position in decimal degrees, for banks that want it.", valueName: "lat,lon"))
    var geolocation: String?
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let position = try Geolocation.option(geolocation)
        let context = try Context(options)
        guard options.json || context.terminal.isInteractive else {
            throw Failure(
                .locked, "watch asks, and there is no terminal to answer on", hint: "countersign watch --json")
        }
        if once { return try await round(context, position) }
        countersign_interrupts_end_well()
        if options.json { return try await stream(context) }
        var live = try LiveWatch(context, position: position)
        try await live.run()
    }

    /// One event a line. A PIN that a person typed is good for five minutes; a PIN file answers whenever it is asked.
    private func stream(_ context: Context) async throws {
        let waking = try Waking()
        let isPerson = options.effectivePINFile == nil
        while true {
            let isLocked = try await context.withSession { session in
                try await session.watching(waking) { events in
                    let span = UnlockSpan(from: .now)
                    while !isPerson || !span.isOver(at: .now) {
                        for event in try events.drain() { try WatchPayload(event, now: context.clock.now())?.print() }
                        let end = isPerson ? span.end : .now + .seconds(3600)
                        if await waking.wait(forKeys: false, until: end) != nil { return false }
                    }
                    return true
                }
            }
            guard isLocked else { return }
            try WatchPayload.locked(at: context.clock.now()).print()
        }
    }

    private func round(_ context: Context, _ position: Geolocation?) async throws {
        var firstFailure: Failure?
        try await context.withSession { session in
            let events = try await Watcher(session).round()
            for case .failure(_, let error) in events { firstFailure = firstFailure ?? Failure(error) }
            if options.json {
                for event in events { try WatchPayload(event, now: context.clock.now())?.print() }
                return
            }
            let answering = Answering(session: session, context: context, position: position, waits: true)
            var desk = Desk(answering: answering, fatigue: FatigueGuard())
            var items: [Inbox.Item] = []
            for event in events {
                if case .failure(let connection, let error) = event {
                    Terminal.say(BankFailurePayload(connection.name, Failure(error)).text)
                }
                guard case .added(let item) = event else { continue }
                desk.fatigue.arrived(item.authorization, at: .now)
                items.append(item)
            }
            if items.isEmpty, firstFailure == nil { Terminal.say("Nothing waits for a decision.") }
            for item in items {
                let (effect, failure) = try await ask(item, &desk, context)
                if let failure, failure.kind != .cancelled { firstFailure = firstFailure ?? failure }
                if effect == .over { break }
            }
        }
        if let firstFailure { throw ExitCode(firstFailure.exitCode) }
    }

    /// Shows one card and does what the person answers; what is no answer is asked again.
    private func ask(
        _ item: Inbox.Item, _ desk: inout Desk, _ context: Context
    ) async throws -> (Desk.Effect, Failure?) {
        if let warning = desk.warning(about: item) { Terminal.say(warning) }
        Card(item.authorization, of: item.connection).present(at: context.clock.now())
        while true {
            switch try context.terminal.line(Desk.keys + ": ").lowercased() {
            case "a": return await desk.approve(item, isShown: true)
            case "d": return await desk.deny(item, isShown: true)
            case "s": return (.open, nil)
            case "n": return await desk.disown(item, isShown: true)
            case "q": return (.over, nil)
            default: continue
            }
        }
    }
}
