import Display
import Synchronization
import Testing

@testable import Agent

@Suite(.serialized, .timeLimit(.minutes(3))) struct DesktopAnnouncerTests {
    private static func card(_ reference: String) -> Card {
        APISamples.decode(APISamples.card.replacing(APISamples.oneCard.reference, with: reference))
    }

    /// Works on a desktop until it is gone.
    private final class Announcing {
        let announcer: DesktopAnnouncer
        private let working: Task<Void, Never>
        private let written: Lines

        /// What went to the journal: nothing, while there is a server.
        var journal: [String] { written.lines.withLock { $0 } }

        private final class Lines: Sendable {
            let lines = Mutex<[String]>([])
        }

        init(on desktop: FakeDesktop, patience: Duration = .seconds(60)) {
            let written = Lines()
            let announcer = DesktopAnnouncer(
                Notifier(bus: desktop.bus(), patience: patience),
                journal: { line in written.lines.withLock { $0.append(line) } })
            self.announcer = announcer
            self.written = written
            working = Task { await announcer.work() }
        }

        deinit { working.cancel() }
    }

    @Test func whatIsNewestIsShown() async throws {
        let desktop = try FakeDesktop()
        let house = Announcing(on: desktop)
        house.announcer.announce(Self.card("a"), as: "a")
        _ = try await desktop.calls("Notify", 1)
        house.announcer.announce(Self.card("b"), as: "b")
        house.announcer.retract("a")
        #expect(try await desktop.calls("CloseNotification", 1).map(\.id) == [1])
        #expect(try await desktop.calls("Notify", 2).count == 2)
        #expect(house.journal == [])
    }

    @Test func nothingIsShownAnyMoreOnceItIsHidden() async throws {
        let desktop = try FakeDesktop()
        let house = Announcing(on: desktop)
        let first = Self.card("a")
        house.announcer.announce(first, as: "a")
        _ = try await desktop.calls("Notify", 1)
        try desktop.tell("hold")
        // One is on its way, and one waits behind it.
        house.announcer.announce(Self.card("b"), as: "b")
        _ = try await desktop.calls("Notify", 2)
        house.announcer.announce(Self.card("c"), as: "c")
        house.announcer.hide(waiting: 3)
        house.announcer.announce(Self.card("d"), as: "d")
        // The one that is on the screen leaves although the server is busy.
        #expect(try await desktop.calls("CloseNotification", 1).map(\.id) == [1])
        try desktop.tell("release")
        #expect(try await desktop.calls("CloseNotification", 2).map(\.id) == [1, 2])
        let notes = try await desktop.calls("Notify", 3)
        #expect(notes[2].summary == "Countersign is locked")
        #expect(notes[2].body == "3 requests wait for your decision")
        house.announcer.unhide()
        #expect(try await desktop.calls("CloseNotification", 3).last?.id == notes[2].id)
        house.announcer.announce(first, as: "a")
        #expect(try await desktop.calls("Notify", 4).count == 4)
        #expect(house.journal == [])
    }

    /// Each connection has its turn.
    @Test func aBankWithThousandsHoldsUpNoOther() async throws {
        let desktop = try FakeDesktop()
        let house = Announcing(on: desktop)
        let many = Self.card("huge:1")
        house.announcer.announce(many, as: "huge:0")
        // From here on it is known what the server can do, which it is asked only once.
        _ = try await desktop.calls("Notify", 1)
        try desktop.tell("hold")
        for number in 1..<50 { house.announcer.announce(many, as: "huge:\(number)") }
        _ = try await desktop.calls("Notify", 2)
        let one: Card = APISamples.decode(APISamples.card.replacing("Pay 9.90 EUR", with: "Pay 1.00 EUR"))
        house.announcer.announce(one, as: "small:0")
        try desktop.tell("release")
        #expect(try await desktop.calls("Notify", 4).prefix(4).contains { $0.summary == "Pay 1.00 EUR" })
    }

    @Test func whatIsHiddenIsAwaited() async throws {
        let desktop = try FakeDesktop()
        let house = Announcing(on: desktop)
        house.announcer.announce(Self.card("a"), as: "a")
        _ = try await desktop.calls("Notify", 1)
        // Its answer has come, so that the id is known.
        house.announcer.announce(Self.card("b"), as: "b")
        _ = try await desktop.calls("Notify", 2)
        house.announcer.hide(waiting: nil)
        await house.announcer.withdrawn()
        #expect(Set(try desktop.calls("CloseNotification").map(\.id)) == [1, 2])
        #expect(house.journal == [])
    }

    @Test func aBusyServerIsNotAwaitedForLong() async throws {
        let desktop = try FakeDesktop()
        let house = Announcing(on: desktop, patience: .seconds(3600))
        house.announcer.announce(Self.card("a"), as: "a")
        _ = try await desktop.calls("Notify", 1)
        try desktop.tell("hold")
        house.announcer.announce(Self.card("b"), as: "b")
        _ = try await desktop.calls("Notify", 2)
        house.announcer.hide(waiting: nil)
        await house.announcer.withdrawn()
        try desktop.tell("release")
        #expect(try await desktop.calls("CloseNotification", 2).map(\.id) == [1, 2])
        #expect(house.journal == [])
    }
}
