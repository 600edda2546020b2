@testable import Desktop
import Display
import TestSupport
import Testing

private let servers = ["gnome-shell", "Xfce Notify Daemon", "Plasma", "dunst", "Notification Daemon"]
private let long = "Pay 9.90 EUR to Fern Books for the second edition of the whole of Frankenstein"
private let details = ["Demo Bank", "bank.example", "demobank:17, expires at 18:00:00"]

@Suite struct NoteLayoutTests {
    private static func body(_ server: String, _ title: String) -> [String] {
        NoteLayout(server: server).body(
            of: Note(summary: DisplayText(title), body: details.map { DisplayText($0) }))
    }

    @Test(arguments: [
        ("gnome-shell", "Pay 9.90 EUR to Fern Books", [] as [String]),
        (
            "gnome-shell", long,
            ["Pay 9.90 EUR to Fern Books for the", "↳ second edition of the whole of", "↳ Frankenstein"]
        ),
        (
            "gnome-shell", long + " " + long,
            [
                "Pay 9.90 EUR to Fern Books for the", "↳ second edition of the whole of",
                "↳ Frankenstein Pay 9.90 EUR to Fern …",
            ]
        ),
        ("dunst", "Pay 9.90 EUR to Fern Books", []),
        (
            "dunst", long,
            ["Pay 9.90 EUR to Fern Books for the", "↳ second edition of the whole of", "↳ Frankenstein"]
        ),
        (
            "dunst", long + " by Mary",
            [
                "Pay 9.90 EUR to Fern Books for the", "↳ second edition of the whole of", "↳ Frankenstein by Mary",
            ]
        ),
    ])
    func aTitleThatIsNotSeenWholeIsRepeated(_ server: String, _ title: String, _ repeated: [String]) {
        #expect(Self.body(server, title) == repeated + details)
    }

    /// A title of any letters and length, in which the bank's name comes up again and again.
    @Test(arguments: servers)
    func noServerBreaksOrHidesALineOfABody(_ server: String) {
        let letters = ["Demo Bank", "W", "漢", "\u{FDFD}", " ", "     ", "bank.example", "i", "ש", "\n", "·"]
        var state: UInt64 = 27
        func next(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        for _ in 0..<2000 {
            let title = (0...next(60)).map { _ in letters[next(letters.count)] }.joined()
            let lines = Self.body(server, title)
            #expect(lines.count <= (server == "gnome-shell" ? 6 : 12))
            #expect(lines.suffix(3) == details[...])
            #expect(lines.dropLast(3).dropFirst().allSatisfy { $0.hasPrefix("↳ ") })
            #expect(lines.allSatisfy { TextMeasure.proportional.size($0) <= 27 })
        }
    }

    /// Nobody but us writes a line of the title: what is longer than one is cut there, and repeated in the body.
    @Test(arguments: servers)
    func aTitleHasOneLine(_ server: String) {
        let title = "Pay 9.90 EUR\u{A0}to Fern Books          Demo Bank · bank.example"
        let summary = NoteLayout(server: server).summary(of: Note(summary: DisplayText(title), body: []))
        #expect(TextMeasure.proportional.size(summary) <= 25 && summary.hasSuffix("…"))
    }

    @Test func theWordsOfThisProgramAreNotBroken() {
        let words = "A session has ended that something asked for at 12:00:00."
        let note = Note(summary: DisplayText("Sign in again"), body: [DisplayText(words)], isOurs: true)
        #expect(servers.allSatisfy { NoteLayout(server: $0).body(of: note) == [words] })
    }

    @Test(arguments: [
        ("gnome-shell", "w\u{2060}w\u{2060}w.fern.example\u{2060}/pay"), ("Plasma", "www.fern.example/pay"),
    ])
    func anAddressOfAPayeeIsNoLink(_ server: String, _ address: String) async throws {
        let desktop = try FakeDesktop("--name", server)
        let notifier = Notifier(bus: desktop.bus(), patience: .seconds(60))
        #expect(await notifier.show(key: "a", note: Note("Pay", "see www.fern.example/pay")))
        let body = try #require(try desktop.calls("Notify").first?.body)
        #expect(body == "see " + address)
    }
}
