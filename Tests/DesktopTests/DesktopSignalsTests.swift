import Approvals
@testable import Desktop
import Glibc
@testable import LocalSocket
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(3))) struct DesktopSignalsTests {
    /// The signals of a desktop whose services are known already.
    private func signals(_ desktop: FakeDesktop) async throws -> DesktopSignals {
        let signals = DesktopSignals(bus: desktop.bus())
        for call in ["Inhibit", "LockedHint", "GetActive"] { _ = try await desktop.calls(call, 1) }
        return signals
    }

    @Test(
        arguments: [
            ("lock-screen", .screenLocked), ("session-lock", .screenLocked), ("locked-hint yes", .screenLocked),
            ("idle-hint yes", .screenLocked), ("unlock-screen", .personCame), ("session-unlock", .personCame),
            ("locked-hint no", .personCame), ("idle-hint no", .personCame),
            ("add-session c9 \(getuid()) x11 user", .personCame),
            // A text console, in which a compositor may be started.
            ("add-session c9 \(getuid()) tty user", .personCame),
            ("sleep", .aboutToSleep), ("wake", .resumed), ("shut-down", .loggingOut),
            ("remove-session c1", .sessionEnded), ("close-session c1", .sessionEnded),
            ("user-gone \(getuid())", .sessionEnded),
        ] as [(String, DesktopEvent)])
    func whatHappensIsTold(_ command: String, _ event: DesktopEvent) async throws {
        let desktop = try FakeDesktop()
        let signals = try await signals(desktop)
        var events = Heard(signals)
        try desktop.tell(command)
        #expect(await events.next() == event)
    }

    @Test(arguments: ["freedesktop", "gnome", "cinnamon", "mate", "xfce"])
    func screenSaversAreHeard(_ desktop: String) async throws {
        let desktop = try FakeDesktop("--screen-saver", "org.\(desktop).ScreenSaver")
        let signals = try await signals(desktop)
        var events = Heard(signals)
        try desktop.tell("lock-screen")
        #expect(await events.next() == .screenLocked)
    }

    @Test func aSessionEndsWithItsLeader() async throws {
        let desktop = try FakeDesktop()
        let leader = try Sleeper()
        try desktop.tell("leader c1 \(leader.process)")
        try desktop.tell("locked-hint yes")
        // This process is in no session of logind, so the graphical session counts as its own.
        let signals = DesktopSignals(bus: desktop.bus())
        var events = Heard(signals)
        // Told when all is known of the session, and its leader is watched.
        #expect(await events.next() == .screenLocked)
        leader.end()
        #expect(await events.next() == .sessionEnded)
    }

    @Test func theEndOfAnotherGraphicalSessionIsALogOutOnly() async throws {
        let desktop = try FakeDesktop()
        try desktop.tell("add-session c2 \(getuid()) tty user")
        try desktop.tell("own-session c2")
        let signals = DesktopSignals(bus: desktop.bus())
        _ = try await desktop.calls("LockedHint", 2)
        var events = Heard(signals)
        try desktop.tell("remove-session c1")
        #expect(await events.next() == .loggingOut)
        try desktop.tell("close-session c2")
        #expect(await events.next() == .sessionEnded)
    }

    /// Another session ends before this process's own session is known.
    @Test func theEndOfASessionWaitsUntilAllAreKnown() async throws {
        let desktop = try FakeDesktop()
        try desktop.tell("add-session c2 \(getuid()) tty user")
        try desktop.tell("own-session c2")
        try desktop.tell("remove-before c1 c2")
        let signals = DesktopSignals(bus: desktop.bus())
        var events = Heard(signals)
        #expect(await events.next() == .loggingOut)
    }

    @Test func aSessionThatIsClosingAlreadyIsNone() async throws {
        let desktop = try FakeDesktop()
        try desktop.tell("add-session c2 \(getuid()) tty user")
        try desktop.tell("own-session c2")
        try desktop.tell("close-session c2")
        let signals = try await signals(desktop)
        var events = Heard(signals)
        try desktop.tell("remove-session c2")
        try desktop.tell("wake")
        #expect(await events.next() == .resumed)
        try desktop.tell("remove-session c1")
        #expect(await events.next() == .sessionEnded)
    }

    @Test func whatAProcessWasStartedInEnds() async throws {
        let desktop = try FakeDesktop("--without-logind")
        let (display, terminal) = (try Sleeper(), try Sleeper())
        let origin = SessionOrigin(display: display.process, terminal: terminal.process)
        let signals = DesktopSignals(bus: desktop.bus(), origin: origin)
        _ = try await desktop.calls("GetActive", 1)
        var events = Heard(signals)
        display.end()
        #expect(await events.next() == .sessionEnded)
        terminal.end()
        #expect(await events.next() == .sessionEnded)
        try desktop.tell("stop-buses")
        #expect(await events.next() == .sessionEnded)
    }

    @Test func aTerminalsEndIsNoneWhereLogindKnowsTheSession() async throws {
        let desktop = try FakeDesktop()
        let terminal = try Sleeper()
        try desktop.tell("locked-hint yes")
        let signals = DesktopSignals(bus: desktop.bus(), origin: SessionOrigin(terminal: terminal.process))
        var events = Heard(signals)
        // Told when the session is known.
        #expect(await events.next() == .screenLocked)
        terminal.end()
        // The next signal of the bus comes after the signal about that end.
        try desktop.tell("wake")
        #expect(await events.next() == .resumed)
        try desktop.tell("remove-session c1")
        #expect(await events.next() == .sessionEnded)
        try desktop.tell("wake")
        #expect(await events.next() == .resumed)
    }

    @Test func signalsOfOthersAreIgnored() async throws {
        let desktop = try FakeDesktop()
        let signals = try await signals(desktop)
        var events = Heard(signals)
        // Tells the forger our name on the session bus.
        let notifier = Notifier(bus: desktop.bus(), patience: .seconds(60))
        #expect(await notifier.show(key: "a", note: Note("a")))
        try desktop.tell("forge-desktop")
        try desktop.tell("add-session c7 \(getuid() + 7) wayland user")
        for command in ["session-lock c7", "locked-hint yes c7", "remove-session c7", "user-gone \(getuid() + 7)"] {
            try desktop.tell(command)
        }
        try desktop.tell("wake")
        #expect(await events.next() == .resumed)
    }

    @Test func whatIsLockedAlreadyIsTold() async throws {
        let desktop = try FakeDesktop("--without-logind")
        try desktop.tell("lock-screen")
        let signals = DesktopSignals(bus: desktop.bus())
        var events = Heard(signals)
        #expect(await events.next() == .screenLocked)

        try desktop.tell("start-logind")
        try desktop.tell("locked-hint yes")
        #expect(await events.next() == .screenLocked)
    }

    @Test func theMachineWaitsUntilWeAreReadyToSleep() async throws {
        let desktop = try FakeDesktop()
        let signals = try await signals(desktop)
        var events = Heard(signals)
        let inhibitor = try #require(try desktop.calls("Inhibit").first)
        #expect(inhibitor.what == "sleep")
        #expect(inhibitor.mode == "delay")
        for round in 1...2 {
            try desktop.tell("sleep")
            #expect(await events.next() == .aboutToSleep)
            #expect(try desktop.calls("released").count == round - 1)
            await signals.readyToSleep()
            _ = try await desktop.calls("released", round)
            try desktop.tell("wake")
            #expect(await events.next() == .resumed)
            _ = try await desktop.calls("Inhibit", round + 1)
        }
    }

    @Test func whoDoesNotAnswerDelaysTheNextSleepToo() async throws {
        let desktop = try FakeDesktop()
        let signals = try await signals(desktop)
        var events = Heard(signals)
        try desktop.tell("sleep")
        try desktop.tell("wake")
        #expect(await events.next() == .aboutToSleep)
        #expect(await events.next() == .resumed)
        _ = try await desktop.calls("Inhibit", 2)
        // The first delay ends when the second has begun.
        _ = try await desktop.calls("released", 1)
        try desktop.tell("sleep")
        #expect(await events.next() == .aboutToSleep)
        await signals.readyToSleep()
        _ = try await desktop.calls("released", 2)
    }

    @Test func aSessionThatCameLaterCountsToo() async throws {
        let desktop = try FakeDesktop()
        let signals = try await signals(desktop)
        var events = Heard(signals)
        // A remote shell.
        try desktop.tell("add-session c2 \(getuid()) tty user -")
        _ = try await desktop.calls("LockedHint", 2)
        try desktop.tell("session-lock c2")
        #expect(await events.next() == .screenLocked)
        // The end of a terminal's session is no log-out while another session remains; the end of a graphical one is.
        try desktop.tell("remove-session c2")
        try desktop.tell("wake")
        #expect(await events.next() == .resumed)
        try desktop.tell("remove-session c1")
        #expect(await events.next() == .sessionEnded)
    }

    @Test func busesAndServicesThatComeBackAreHeardAgain() async throws {
        let desktop = try FakeDesktop()
        let signals = try await signals(desktop)
        var events = Heard(signals)
        try desktop.tell("stop-logind")
        try desktop.tell("start-logind")
        _ = try await desktop.calls("Inhibit", 2)
        try desktop.tell("sleep")
        #expect(await events.next() == .aboutToSleep)
        try desktop.tell("wake")
        #expect(await events.next() == .resumed)
        _ = try await desktop.calls("Inhibit", 3)
        try desktop.tell("session-lock")
        #expect(await events.next() == .screenLocked)

        try desktop.tell("stop-buses")
        try desktop.tell("start-buses")
        try desktop.tell("start-logind")
        try desktop.tell("start-screen-saver")
        _ = try await desktop.calls("Inhibit", 4)
        try desktop.tell("sleep")
        #expect(await events.next() == .aboutToSleep)
        // Reported when the session becomes known, or when it happens.
        try desktop.tell("lock-screen")
        #expect(await events.next() == .screenLocked)
    }

    @Test func withoutABusTheEventsWait() async throws {
        let nowhere = BusAddress.address("unix:path=/nowhere/bus")
        var signals: DesktopSignals? = DesktopSignals(bus: DesktopBus(session: nowhere, system: nowhere))
        let events = try #require(signals).events
        await signals?.readyToSleep()
        signals = nil
        for await event in events { #expect(event == .networkUp) }
    }
}

/// The events so far, without those of the network, which this machine's own network may cause at any time.
private struct Heard {
    private var iterator: AsyncStream<DesktopEvent>.AsyncIterator

    init(_ signals: DesktopSignals) { iterator = signals.events.makeAsyncIterator() }

    mutating func next() async -> DesktopEvent? {
        while let event = await iterator.next() {
            if event != .networkUp { return event }
        }
        return nil
    }
}

@Suite struct LoginSessionsTests {
    private typealias Session = LoginSessions.Session

    @Test func theEndOfOwnGraphicalOrLastSessionIsALogOut() {
        var sessions = LoginSessions()
        sessions.own = "/own"
        sessions.add("/own", Session(isGraphical: false, isAtSeat: false))
        for path in ["/a", "/b"] { sessions.add(path, Session(isGraphical: false, isAtSeat: false)) }
        sessions.add("/screen", Session(isGraphical: true, isAtSeat: true))
        let paths = ["/unknown", "/a", "/screen", "/own", "/b", "/b"]
        #expect(paths.map { sessions.remove($0) } == [nil, nil, .other, .own, .own, nil])
    }

    @Test func whoIsInNoSessionIsInTheGraphicalOne() {
        var sessions = LoginSessions()
        sessions.own = "/over"
        sessions.add("/shell", Session(isGraphical: false, isAtSeat: false))
        sessions.add("/screen", Session(isGraphical: true, isAtSeat: true))
        #expect(sessions.remove("/screen") == .own)
        #expect(sessions.remove("/shell") == .own && sessions.isEmpty)
    }

    @Test func onlyThisPersonsSessionsCount() {
        func session(_ uid: UInt32, _ type: String, _ group: String?, seat: String = "seat0") -> Session? {
            var properties: [String: BusValue] = [
                "User": .list([.uint32(uid), .string("/user")]), "Type": .string(type),
                "Seat": .list([.string(seat), .string("/seat")]),
            ]
            properties["Class"] = group.map { .string($0) }
            return Session(properties: properties, of: 1000)
        }
        #expect(session(1000, "wayland", "user") == Session(isGraphical: true, isAtSeat: true))
        #expect(session(1000, "x11", nil) == Session(isGraphical: true, isAtSeat: true))
        #expect(session(1000, "tty", "user-early") == Session(isGraphical: false, isAtSeat: true))
        #expect(session(1000, "tty", "user", seat: "") == Session(isGraphical: false, isAtSeat: false))
        #expect(session(1001, "wayland", "user") == nil)
        #expect(session(1000, "unspecified", "manager") == nil)
        #expect(session(1000, "wayland", "greeter") == nil)
        #expect(Session(properties: [:], of: 1000) == nil)
    }
}

/// A process that does nothing until it is killed.
private final class Sleeper {
    let process: pid_t

    init() throws {
        var pid = pid_t()
        // Copies that live until posix_spawn has returned, with the nil that ends the list.
        let words: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/sleep"), strdup("3600"), nil]
        defer { for word in words { free(word) } }
        let fault = posix_spawn(&pid, "/bin/sleep", nil, nil, words, environ)
        try #require(fault == 0)
        process = pid
    }

    deinit { end() }

    func end() {
        kill(process, SIGKILL)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }
}
