import Glibc
import Testing

@testable import Agent

@Suite(.serialized, .timeLimit(.minutes(3))) struct DesktopSignalsTests {
    /// Signals of a desktop whose services have been met.
    private func signals(_ desktop: FakeDesktop) async throws -> DesktopSignals {
        let signals = DesktopSignals(bus: desktop.bus())
        for call in ["Inhibit", "LockedHint", "GetActive"] { _ = try await desktop.calls(call, 1) }
        return signals
    }

    @Test(
        arguments: [
            ("lock-screen", .screenLocked), ("session-lock", .screenLocked), ("locked-hint yes", .screenLocked),
            ("sleep", .aboutToSleep), ("wake", .resumed), ("shut-down", .loggingOut),
            ("remove-session c1", .loggingOut), ("user-gone \(getuid())", .loggingOut),
        ] as [(String, DesktopEvent)])
    func whatHappensIsTold(_ command: String, _ event: DesktopEvent) async throws {
        let desktop = try FakeDesktop()
        let signals = try await signals(desktop)
        var events = Heard(signals)
        try desktop.tell(command)
        #expect(await events.next() == event)
    }

    @Test func signalsOfOthersAreIgnored() async throws {
        let desktop = try FakeDesktop()
        let signals = try await signals(desktop)
        var events = Heard(signals)
        // So that the forger knows whom to write to on the session bus.
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
        // The first wait ends when the second has begun.
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
        try desktop.tell("add-session c2 \(getuid()) tty user")
        _ = try await desktop.calls("LockedHint", 2)
        try desktop.tell("session-lock c2")
        #expect(await events.next() == .screenLocked)
        // A terminal's end is no log-out while another session remains, a graphical one's is.
        try desktop.tell("remove-session c2")
        try desktop.tell("wake")
        #expect(await events.next() == .resumed)
        try desktop.tell("remove-session c1")
        #expect(await events.next() == .loggingOut)
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
        // Told once it is met, or as it happens.
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

/// What was heard, but for the network, where this machine's own may come at any time.
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
        sessions.add("/own", Session(isGraphical: false))
        for path in ["/a", "/b"] { sessions.add(path, Session(isGraphical: false)) }
        sessions.add("/screen", Session(isGraphical: true))
        let paths = ["/unknown", "/a", "/screen", "/own", "/b", "/b"]
        #expect(paths.map { sessions.remove($0) } == [false, false, true, true, true, false])
    }

    @Test func onlyThisPersonsSessionsCount() {
        func session(_ uid: UInt32, _ type: String, _ group: String?) -> Session? {
            var properties: [String: BusValue] = [
                "User": .list([.uint32(uid), .string("/user")]), "Type": .string(type),
            ]
            properties["Class"] = group.map { .string($0) }
            return Session(properties: properties, of: 1000)
        }
        #expect(session(1000, "wayland", "user") == Session(isGraphical: true))
        #expect(session(1000, "x11", nil) == Session(isGraphical: true))
        #expect(session(1000, "tty", "user-early") == Session(isGraphical: false))
        #expect(session(1001, "wayland", "user") == nil)
        #expect(session(1000, "unspecified", "manager") == nil)
        #expect(session(1000, "wayland", "greeter") == nil)
        #expect(Session(properties: [:], of: 1000) == nil)
    }
}
