@testable import Desktop
import TestSupport
import Testing
@testable import LocalSocket

private func notifier(_ desktop: FakeDesktop, patience: Duration = .seconds(60)) -> Notifier {
    Notifier(bus: desktop.bus(), desktopEntry: "countersign", patience: patience)
}

@Suite(.serialized, .timeLimit(.minutes(3))) struct DesktopNotifierTests {
    @Test func aNoteIsShownReplacedAndClosed() async throws {
        let desktop = try FakeDesktop()
        let notifier = notifier(desktop)
        #expect(await notifier.show(key: "a", note: Note("Pay 9.90 EUR", "To Fern Books", "at Nordea")))
        #expect(await notifier.show(key: "a", note: Note("1 request waits", actions: [.review])))
        await notifier.close(key: "a")
        await notifier.close(key: "b")

        let calls = try desktop.calls("Notify")
        let first = try #require(calls.first)
        #expect(first.app == "Countersign")
        #expect(first.summary == "Pay 9.90 EUR")
        #expect(first.body == "To Fern Books\nat Nordea")
        #expect(first.actions == ["default", "Review", "review", "Review", "deny", "Deny"])
        #expect(first.replaces == 0)
        #expect(first.hints == .init(urgency: 1, resident: true, transient: nil, desktopEntry: "countersign"))
        #expect(first.timeout == 0)
        #expect(calls.count == 2)
        #expect(calls.last?.replaces == first.id)
        #expect(calls.last?.actions == ["default", "Review", "review", "Review"])
        #expect(try desktop.calls("CloseNotification").map(\.id) == [first.id])
    }

    @Test(arguments: [
        ("body-markup,actions", "&lt;b&gt;5&lt;/b&gt; &amp;amp; &lt;⟨U+0308⟩a&gt;"),
        ("body,actions", "<b>5</b> &amp; <⟨U+0308⟩a>"),
    ])
    func markupIsNeverRead(_ capabilities: String, _ body: String) async throws {
        let desktop = try FakeDesktop("--capabilities", capabilities)
        #expect(await notifier(desktop).show(key: "a", note: Note("<b>", "<b>5</b> &amp; <\u{308}a>")))
        let call = try #require(try desktop.calls("Notify").first)
        #expect(call.body == body)
        // The specification has no markup in a summary.
        #expect(call.summary == "<b>")
    }

    @Test func aTextIsShownSafelyAndCutShort() async throws {
        let desktop = try FakeDesktop("--capabilities", "")
        let long = String(repeating: "x", count: 100_000)
        let note = Note("Pay\u{202e}\u{0}", "line\nanother", long)
        #expect(await notifier(desktop).show(key: "a", note: note))
        let call = try #require(try desktop.calls("Notify").first)
        #expect(call.summary == "Pay⟨U+202E⟩⟨U+0000⟩")
        #expect(call.body?.hasPrefix("line ⏎ another\nxxx") == true)
        #expect(call.body.map { $0.count < 600 } == true)
        #expect(call.actions == [])
    }

    @Test func whatThePersonDoesIsTold() async throws {
        let desktop = try FakeDesktop()
        let notifier = notifier(desktop)
        var events = notifier.events.makeAsyncIterator()
        for key in ["a", "b"] { #expect(await notifier.show(key: key, note: Note(key))) }
        try desktop.tell("invoke 1 default")
        #expect(await events.next() == .review("a"))
        try desktop.tell("invoke 2 deny")
        #expect(await events.next() == .deny("b"))
        try desktop.tell("dismiss 2")
        #expect(await events.next() == .left("b"))
        #expect(await notifier.show(key: "c", note: Note("c")))
        try desktop.tell("expire 1")
        try desktop.tell("invoke 1 review")
        try desktop.tell("invoke 3 review")
        #expect(await events.next() == .review("c"))
        #expect(await notifier.show(key: "a", note: Note("a")))
        try desktop.tell("invoke 4 review")
        #expect(await events.next() == .review("a"))
    }

    /// The servers' own names, and how each shows an action that is also the default action.
    @Test(arguments: [
        ("Xfce", ["default", "", "review", "Review", "deny", "Deny"]),
        ("dunst", ["default", "Review", "deny", "Deny"]),
        ("gnome-shell", ["default", "Review", "review", "Review", "deny", "Deny"]),
    ])
    func anActionIsSeenOnce(_ name: String, _ actions: [String]) async throws {
        let desktop = try FakeDesktop("--name", name == "Xfce" ? "Xfce Notify Daemon" : name)
        #expect(await notifier(desktop).show(key: "a", note: Note("a")))
        #expect(try desktop.calls("Notify").map(\.actions) == [actions])
    }

    /// Where a server shows neither name nor icon, or a click only dismisses a note, the note says both itself.
    @Test(
        arguments: [
            (
                "dunst", "actions,body", "Pay", [.review, .deny],
                "to Fern\nCountersign: click with the middle button to review"
            ),
            (
                "dunst", "actions,body", "Countersign is locked", [.unlock],
                "to Fern\nclick with the middle button to unlock"
            ),
            ("dunst", "actions,body", "Denied", [], "to Fern\nCountersign"),
            ("mako", "actions,body", "Pay", [.review, .deny], "to Fern\nCountersign"),
            ("notify-osd", "body", "Pay", [.review], "to Fern\nCountersign: on a terminal: countersign watch"),
            ("gnome-shell", "actions,body", "Pay", [.review, .deny], "to Fern"),
            ("Plasma", "actions,body", "Countersign is locked", [.unlock], "to Fern"),
        ] as [(String, String, String, Set<Note.Action>, String)])
    func aNoteSaysWhatItsServerDoesNot(
        _ server: String, _ capabilities: String, _ summary: String, _ actions: Set<Note.Action>, _ body: String
    ) async throws {
        let desktop = try FakeDesktop("--name", server, "--capabilities", capabilities)
        var note = Note(summary, "to Fern", actions: actions)
        note.isOurs = actions == [.unlock]
        #expect(await notifier(desktop).show(key: "a", note: note))
        #expect(try desktop.calls("Notify").map(\.body) == [body])
    }

    /// A payee may write our name.
    @Test func aTitleWithOurNameDoesNotStandForIt() async throws {
        let desktop = try FakeDesktop("--name", "mako", "--capabilities", "actions,body")
        #expect(await notifier(desktop).show(key: "a", note: Note("Countersign: pay", "to Fern", actions: [.review])))
        #expect(try desktop.calls("Notify").map(\.body) == ["to Fern\nCountersign"])
    }

    @Test func whatALockedNoteOffersIsCalledUnlock() async throws {
        let desktop = try FakeDesktop()
        let notifier = notifier(desktop)
        var events = notifier.events.makeAsyncIterator()
        #expect(await notifier.show(key: "locked", note: Note("locked", actions: [.unlock])))
        #expect(try desktop.calls("Notify").map(\.actions) == [["default", "Unlock", "unlock", "Unlock"]])
        for action in ["default", "unlock"] {
            try desktop.tell("invoke 1 \(action)")
            #expect(await events.next() == .pressed(.unlock, "locked"))
        }
    }

    @Test func onlyTheServerItselfIsBelieved() async throws {
        let desktop = try FakeDesktop()
        let notifier = notifier(desktop)
        var events = notifier.events.makeAsyncIterator()
        #expect(await notifier.show(key: "a", note: Note("a")))
        try desktop.tell("forge 1 deny")
        try desktop.tell("forge-closed 1")
        // A notification of another program.
        try desktop.tell("invoke 2 deny")
        try desktop.tell("invoke 1 approve")
        try desktop.tell("invoke 1 review")
        #expect(await events.next() == .review("a"))
    }

    @Test func aServerThatCameAnewIsShownWhatWaits() async throws {
        let desktop = try FakeDesktop()
        let notifier = notifier(desktop)
        var events = notifier.events.makeAsyncIterator()
        for key in ["a", "b", "c"] { #expect(await notifier.show(key: key, note: Note(key))) }
        await notifier.close(key: "a")
        try desktop.tell("dismiss 2")
        try desktop.tell("capabilities body")
        try desktop.tell("restart-notifications")
        let calls = try await desktop.calls("Notify", 4)
        #expect(calls.map(\.summary) == ["a", "b", "c", "c"])
        #expect(calls.last?.replaces == 0)
        #expect(calls.last?.actions == [])
        // The new server counts from 1 again: 1 is "c" now.
        try desktop.tell("invoke 1 deny")
        #expect(await events.next() == .left("b"))
        #expect(await events.next() == .deny("c"))
    }

    @Test func withoutAServerNothingIsShownUntilOneComes() async throws {
        let desktop = try FakeDesktop("--without-notifications")
        let notifier = notifier(desktop)
        #expect(await !notifier.show(key: "a", note: Note("a")))
        #expect(await !notifier.show(key: "b", note: Note("b")))
        await notifier.close(key: "a")
        try desktop.tell("start-notifications")
        #expect(try await desktop.calls("Notify", 1).map(\.summary) == ["b"])
        #expect(await notifier.show(key: "b", note: Note("b")))
        #expect(try desktop.calls("Notify").count == 1)
    }

    @Test func theBusStartsAServerThatItKnows() async throws {
        let desktop = try FakeDesktop("--activatable")
        let notifier = notifier(desktop)
        #expect(await notifier.show(key: "a", note: Note("a")))
        #expect(try desktop.calls("Notify").count == 1)
    }

    @Test(arguments: ["unix:path=/nowhere/bus", "nonsense", ""])
    func withoutABusNothingIsShown(_ address: String) async {
        let bus = DesktopBus(session: .address(address), system: .address(address))
        let notifier = Notifier(bus: bus)
        #expect(await !notifier.show(key: "a", note: Note("a")))
        await notifier.closeAll()
    }

    @Test func aBusThatComesBackIsUsedAgain() async throws {
        let desktop = try FakeDesktop()
        let notifier = notifier(desktop)
        var events = notifier.events.makeAsyncIterator()
        #expect(await notifier.show(key: "a", note: Note("a")))
        try desktop.tell("stop-buses")
        while await notifier.show(key: "b", note: Note("b")) { await notifier.close(key: "b") }
        try desktop.tell("start-buses")
        try desktop.tell("start-notifications")
        let calls = try await desktop.calls("Notify", 3).suffix(2)
        #expect(calls.map(\.summary) == ["a", "b"])
        try desktop.tell("invoke 2 review")
        #expect(await events.next() == .review("b"))
    }

    @Test func closingWaitsForANoteOnItsWay() async throws {
        let desktop = try FakeDesktop()
        let notifier = notifier(desktop)
        #expect(await notifier.show(key: "a", note: Note("a")))
        try desktop.tell("hold")
        async let shown = notifier.show(key: "b", note: Note("b"))
        _ = try await desktop.calls("Notify", 2)
        async let closed: Void = notifier.close(key: "b")
        #expect(await !shown)
        try desktop.tell("release")
        await closed
        #expect(try desktop.calls("CloseNotification").map(\.id) == [2])
    }

    @Test func aServerThatRefusesShowsNothing() async throws {
        let desktop = try FakeDesktop()
        let notifier = notifier(desktop)
        #expect(await notifier.show(key: "a", note: Note("a")))
        try desktop.tell("refuse")
        #expect(await !notifier.show(key: "b", note: Note("b")))
        // The old note must not stay when the new one could not be shown.
        #expect(await !notifier.show(key: "a", note: Note("hidden", actions: [.review])))
        #expect(try await desktop.calls("CloseNotification", 1).map(\.id) == [1])
        try desktop.tell("accept")
        #expect(await notifier.show(key: "b", note: Note("b")))
    }

    @Test func theEventsEndWithTheNotifier() async throws {
        let desktop = try FakeDesktop()
        var notifier: Notifier? = notifier(desktop)
        let events = try #require(notifier).events
        #expect(await notifier?.show(key: "a", note: Note("a")) == true)
        notifier = nil
        for await event in events { Issue.record("\(event)") }
    }

    @Test func theThreadEndsWithAllThatUsesIt() async throws {
        let desktop = try FakeDesktop()
        var bus: DesktopBus? = desktop.bus()
        weak let thread = bus?.thread
        do {
            let notifier = Notifier(bus: try #require(bus), patience: .seconds(60))
            #expect(await notifier.show(key: "a", note: Note("a")))
        }
        #expect(thread != nil)
        bus = nil
        while thread != nil { try await Task.sleep(for: .milliseconds(20)) }
    }
}

/// These wait for seconds, so others go on meanwhile.
@Suite(.timeLimit(.minutes(3))) struct DesktopNotifierTimeTests {
    @Test func aDroppedNoteIsShownAgainAndAShortOneIsNot() async throws {
        let desktop = try FakeDesktop()
        let notifier = notifier(desktop)
        #expect(await notifier.show(key: "a", note: Note("a")))
        #expect(await notifier.show(key: "b", note: Note("b", actions: [], stay: .short)))
        try desktop.tell("expire 2")
        try desktop.tell("expire 1")
        let calls = try await desktop.calls("Notify", 3)
        #expect(calls.map(\.summary) == ["a", "b", "a"])
        #expect(calls.map(\.timeout) == [0, -1, 0])
        #expect(calls.map(\.hints?.transient) == [nil, true, nil])
        #expect(calls.map(\.hints?.resident) == [true, nil, true])
    }

    /// dunst keeps closed and expired notifications in its history.
    @Test func aHistoryKeepsNoContent() async throws {
        let desktop = try FakeDesktop("--name", "dunst")
        let notifier = notifier(desktop)
        #expect(await notifier.show(key: "a", note: Note("Pay 9.90 EUR", "To Fern Books")))
        await notifier.closeAll()
        let blank = try #require(try desktop.calls("Notify").last)
        #expect(blank.replaces == 1)
        #expect(blank.summary == "Countersign")
        #expect(blank.body == "" && blank.actions == [])
        #expect(try desktop.calls("CloseNotification").map(\.id) == [1])
        // A short note is closed before it expires.
        #expect(await notifier.show(key: "b", note: Note("Pay 5.00 EUR", actions: [], stay: .short)))
        #expect(try await desktop.calls("CloseNotification", 2).map(\.id) == [1, 2])
        #expect(try desktop.calls("Notify").last?.summary == "Countersign")
    }

    /// Also those whose calls are answered while another one is being removed.
    @Test func allNotesAreGoneOnceTheyWereRemoved() async throws {
        let desktop = try FakeDesktop("--name", "dunst")
        let notifier = notifier(desktop, patience: .seconds(60))
        #expect(await notifier.show(key: "a", note: Note("a")))
        try desktop.tell("hold")
        let late = ["b", "c", "d", "e", "f"]
        let shown = late.map { key in Task { await notifier.show(key: key, note: Note(key)) } }
        _ = try await desktop.calls("Notify", 6)
        async let closed: Void = notifier.closeAll()
        _ = try await desktop.calls("Notify", 7)
        try desktop.tell("release")
        await closed
        #expect(Set(try desktop.calls("CloseNotification").map(\.id)) == Set(1...6))
        for note in shown { _ = await note.value }
    }

    @Test func aServerThatDoesNotAnswerHoldsNobodyUp() async throws {
        let desktop = try FakeDesktop()
        let notifier = notifier(desktop, patience: .seconds(2))
        while await !notifier.show(key: "a", note: Note("a")) {}
        try desktop.tell("hold")
        #expect(await !notifier.show(key: "b", note: Note("b")))
        #expect(await !notifier.show(key: "a", note: Note("a again")))
        await notifier.closeAll()
        // A note that the server shows late is removed when it has answered.
        #expect(try desktop.calls("CloseNotification").isEmpty)
        try desktop.tell("release")
        let closed = try await desktop.calls("CloseNotification", 2)
        #expect(Set(closed.map(\.id)) == [1, 2])
    }
}
