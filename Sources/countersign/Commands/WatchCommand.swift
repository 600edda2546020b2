import Client
import ArgumentParser
import Approvals
import Basics
import CPlatform
import CTerminal
import Dialogue
import Glibc
import ApprovalModel

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Poll the banks, show each request as it comes, and take your answer.",
        usage: "countersign watch [--once] [<options>]",
        discussion: """
              countersign watch

            Keys: a approves (asks for the PIN), d denies, s skips, n means that this was not you, q quits, ? lists all \
            keys. The request that expires first is shown first; left, right, tab and the digits choose another one; \
            up, down, space and the page keys scroll. If a request is a link, paste the link, or press l for it. \
            After five minutes without a key the screen is cleared, and the PIN is needed again.

            For programs, one event per line until interrupted:

              countersign watch --json --pin-file pin
            """)

    @Flag(help: "Show each card once, then end.") var once = false
    @Flag(name: .customLong("no-bell"), help: "Do not ring the terminal's bell when a request comes.") var noBell =
        false
    @Option(help: ArgumentHelp("Your position in decimal degrees, for banks that require it.", valueName: "lat,lon"))
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
        guard options.json || !Terminal.isDumb else {
            throw Failure.usage(
                "the live view redraws its lines, and this terminal cannot (TERM is dumb, or not set)",
                hint: "countersign watch --once")
        }
        countersign_interrupts_end_well()
        countersign_wipe_freed_memory()
        if options.json { return try await stream(context) }
        var live = try LiveWatch(options, position: position, isSilent: noBell)
        try await live.run()
    }

    /// Prints one event per line. Without an agent, a typed PIN lasts for five minutes, and one from a file without
    /// limit. An agent reports its locks: if the person can be asked, the PIN is asked for; otherwise this waits until
    /// the agent is open again.
    private func stream(_ context: Context) async throws {
        let keyWait = try KeyWait()
        let isPerson = options.effectivePINFile == nil
        let asks = isPerson && context.prompts.canAsk
        while true {
            let isLocked = try await context.with(.approvals) { operations in
                try await operations.watching(keyWait) { events in
                    let span = isPerson && !operations.locksItself ? UnlockSpan(from: .now) : nil
                    while span?.isOver(at: .now) != true {
                        for event in try events.drain() {
                            if event.name == .locked, asks { return true }
                            try WatchPayload(event, now: context.clock.now())?.print()
                        }
                        let end = span?.end ?? .now + .seconds(3600)
                        if await keyWait.wait(forKeys: false, until: end) != nil { return false }
                    }
                    return true
                }
            }
            guard isLocked else { return }
            try WatchPayload(Event(.locked, at: context.clock.now()), now: context.clock.now())?.print()
        }
    }

    private func round(_ context: Context, _ position: Geolocation?) async throws {
        // Typed-ahead keys may be a PIN, so they are neither echoed nor left to the shell.
        if !options.json { _ = countersign_terminal_quiet(STDIN_FILENO) }
        defer { countersign_terminal_end_quiet() }
        let keyWait = try KeyWait()
        var firstFailure: Failure?
        try await context.with(.approvals) { operations in
            let round = try await operations.perform(ApprovalVerbs.pending, PendingRequest(connection: nil))
            let now = context.clock.now()
            firstFailure = round.failures.first.map { Failure($0.kind, $0.message, hint: $0.hint) }
            if options.json {
                for failure in round.failures { try WatchPayload(Event(.failure(failure), at: now), now: now)?.print() }
                for card in round.authorizations { try WatchPayload(Event(.added(card), at: now), now: now)?.print() }
                return
            }
            let answering = Answering(
                operations: operations, context: context, position: position, waits: true, isByKey: true)
            var actions = KeyActions(answering: answering, fatigue: FatigueGuard())
            for failure in round.failures { Terminal.say(failure.text) }
            for card in round.authorizations { actions.fatigue.arrived(card.request, at: .now) }
            if round.authorizations.isEmpty, firstFailure == nil {
                Terminal.say(PendingPayload.nothing(isBankless: round.asked == 0))
            }
            for card in round.authorizations {
                // After the last one, the next keys may be a PIN.
                guard let end = try await ask(card, among: round.authorizations, &actions, context, keyWait) else {
                    break
                }
                if let failure = end.failure, failure.kind != .cancelled { firstFailure = firstFailure ?? failure }
                if end.isLast { break }
            }
        }
        if let firstFailure { throw ExitCode(firstFailure.exitCode) }
    }

    /// Shows one card and carries out the person's answer; asks again after any other key. Nil if the person quits.
    private func ask(
        _ card: Card, among others: [Card], _ actions: inout KeyActions, _ context: Context, _ keyWait: KeyWait
    ) async throws -> DecisionSeries.End? {
        if let warning = actions.warning(about: card) { Terminal.say(warning) }
        _ = try context.terminal.show { card.drawn(at: context.clock.now()) }
        Terminal.say(KeyActions.keys)
        while true {
            let key = await key(keyWait)
            if key.isEnd { throw Failure.cancelled }
            if key == Key("q") { return nil }
            if key == Key("s") { return .done(nil) }
            if let series = KeyActions.series(of: key, on: card, among: others, isShown: true) {
                let end = await actions.carry(series, on: card)
                if case .lock = end { await actions.lock() }
                return end
            }
            // The key is not repeated, since it may belong to a PIN.
            Terminal.say("That is none of the keys: \(KeyActions.keys)")
        }
    }

    /// Waits for the next key. Drops earlier keys, which were typed before the question was seen.
    private func key(_ keyWait: KeyWait) async -> Key {
        _ = countersign_terminal_silence(STDIN_FILENO)
        defer { countersign_terminal_restore() }
        while true {
            if let key = await keyWait.wait(forKeys: true, until: .now + .seconds(3600)) { return key }
        }
    }
}
