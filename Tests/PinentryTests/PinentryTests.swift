import Basics
import Display
import Foundation
@testable import Pinentry
import Testing

private let cancel = "ERR 83886179 Operation cancelled <Pinentry>\n"

@Suite struct PinentryAnswers {
    @Test(
        arguments: [
            ("D 271828\nOK\n", "271828"),
            ("D 271828\r\nOK\r\n", "271828"),
            ("# hello\nS BUTTON_INFO x\n\nD 271828\nOK have a nice day\n", "271828"),
            ("D 27\nD 18\nS here\nD 28\nOK\n", "271828"),
            ("D a%25b%0Ac%0dd%41\nOK\n", "a%b\nc\rdA"),
            ("D %E2%9C%93 with spaces \nOK\n", "✓ with spaces "),
            ("INQUIRE QUALITY 27\n<read>ERR 1 no\n", nil),
            ("INQUIRE QUALITY 27\n<read>D 271828\nOK\n", "271828"),
            ("OK\n", nil),
            ("D \nOK\n", nil),
            ("D\nOK\n", nil),
            ("D " + String(repeating: "7", count: 998) + "\nOK\n", String(repeating: "7", count: 998)),
        ] as [(String, String?)])
    func aPinComesAsItWasTyped(_ answer: String, _ expected: String?) throws {
        let fake = try FakePinentry(answer)
        if answer.contains("ERR") {
            #expect(throws: PinentryError.refused(1)) { try fake.pin() }
        } else {
            #expect(try fake.pin() == expected)
            #expect(try fake.lines().last == "BYE")
        }
        if answer.contains("INQUIRE") { #expect(try fake.lines().contains("CAN")) }
        #expect(try fake.isGone())
    }

    @Test(
        arguments: [
            (cancel, .cancelled),
            ("ERR 83886194 Not confirmed <Pinentry>\n", .cancelled),
            ("ERR 83886142 Timeout <Pinentry>\n", .unanswered),
            ("ERR 83918950 Inappropriate ioctl for device <Pinentry>\n", .refused(83_918_950)),
            ("ERR junk \u{1}\u{ff}\n", .refused(0)),
            ("ERR\n", .refused(0)),
            ("ERR 99999999999999999999\n", .refused(0)),
            ("D 271828\n" + cancel, .cancelled),
            ("D 2718<exit>", .ended),
            ("<exit>", .ended),
            ("\u{0}\u{ff}\u{fe}\u{1}\n", .malformed("an unknown answer")),
            ("271828\nOK\n", .malformed("an unknown answer")),
            ("ok\n", .malformed("an unknown answer")),
            ("D %4\nOK\n", .malformed("a percent sign without two digits")),
            ("D %\nD 25\nOK\n", .malformed("a percent sign without two digits")),
            ("D %zz\nOK\n", .malformed("a percent sign without two digits")),
            ("D " + String(repeating: "7", count: 2000) + "\nOK\n", .malformed("a line without end")),
            (String(repeating: "x", count: 100_000), .malformed("a line without end")),
            (String(repeating: "D 7777777777\n", count: 200) + "OK\n", .malformed("more than a PIN")),
            (String(repeating: "# still thinking\n", count: 1500), .malformed("it goes on without an answer")),
            (String(repeating: "INQUIRE WHO\n", count: 1500), .hung),
        ] as [(String, PinentryError)])
    func whatIsNoAnswerIsAnError(_ answer: String, _ error: PinentryError) throws {
        let fake = try FakePinentry(answer)
        #expect(throws: error) { try fake.pin() }
        #expect(try fake.isGone())
    }

    @Test(arguments: ["<hang>", "D 271828\n<hang>", "D 2718<hang>"])
    func aPinentryThatHangsIsKilled(_ answer: String) throws {
        let fake = try FakePinentry(answer, limits: .init(program: .seconds(3), person: 0))
        #expect(throws: PinentryError.hung) { try fake.pin() }
        #expect(try fake.isGone())
    }

    @Test(
        arguments: [
            ("<hang>", .hung), ("ERR 83886165 no\n", .refused(83_886_165)), ("<exit>", .ended),
            ("Usage: pinentry [OPTION]\n", .malformed("an unknown answer")),
        ] as [(String, PinentryError)])
    func aBadGreetingIsAnError(_ greeting: String, _ error: PinentryError) throws {
        let fake = try FakePinentry(
            "D 1\nOK\n", environment: ["FAKE_PINENTRY_GREETING": greeting],
            limits: .init(program: .seconds(greeting == "<hang>" ? 3 : 30), person: 0))
        #expect(throws: error) { try fake.pin() }
        #expect(try fake.isGone())
    }

    @Test func oneThatLeavesBeforeItIsSpokenToRaisesNoSignal() throws {
        // It greets and ends, so the next command is sent to a closed socket.
        let fake = try FakePinentry("OK\n", environment: ["FAKE_PINENTRY_GREETING": "OK\n<exit>"])
        #expect(throws: PinentryError.ended) { try fake.pin() }
    }

    @Test(arguments: ["/nowhere/pinentry", "/etc/hostname", "no-pinentry-is-called-this"])
    func whatCannotBeStartedIsMissing(_ program: String) {
        let pinentry = Pinentry(program: program, environment: [:], tty: nil)
        #expect { try pinentry.pin(.init("Say it")) } throws: {
            ($0 as? PinentryError)?.reason.hasPrefix("the pinentry could not be started: ") == true
        }
    }

    @Test(arguments: [
        ("OK\n", true), (cancel, false), ("ERR 83886194 Not confirmed <Pinentry>\n", false),
    ])
    func aConfirmationIsYesOrNo(_ answer: String, _ expected: Bool) throws {
        let fake = try FakePinentry(answer)
        #expect(try fake.pinentry.confirm(.init("Really?")) == expected)
        #expect(try fake.lines().contains("CONFIRM"))
    }

    @Test(
        arguments: [
            ("OK\n", .ok), (cancel, .cancel), ("ERR 83886194 Not confirmed <Pinentry>\n", .other),
        ] as [(String, PinentryChoice)])
    func threeButtonsAreToldApart(_ answer: String, _ expected: PinentryChoice) throws {
        let fake = try FakePinentry(answer)
        #expect(try fake.pinentry.choose(.init("Which?", ok: "Approve", other: "Deny")) == expected)
        #expect(try fake.values(of: "SETOK") == ["Approve"])
        #expect(try fake.values(of: "SETNOTOK") == ["Deny"])
        #expect(try fake.values(of: "SETCANCEL") == ["Cancel"])
    }

    /// GNOME's windows have two buttons, and an old pinentry may not know of a third one.
    @Test(
        arguments: [
            ["FAKE_PINENTRY_FLAVOR": "gnome3"], ["FAKE_PINENTRY_REFUSES": "SETNOTOK"],
        ],
        [
            (["OK\n"], .ok), ([cancel, "OK\n"], .other), ([cancel, cancel], .cancel),
            (["ERR 83886194 Not confirmed <Pinentry>\n", "OK\n"], .other),
        ] as [([String], PinentryChoice)])
    func whereThereAreTwoTheSecondLeadsToTheThird(
        _ place: [String: String], _ story: (answers: [String], expected: PinentryChoice)
    ) throws {
        let fake = try FakePinentry(
            story.answers[0], story.answers.count > 1 ? story.answers[1] : "<exit>", environment: place)
        #expect(try fake.pinentry.choose(.init("Which?", ok: "Approve", other: "Deny")) == story.expected)
        #expect(try fake.values(of: "SETOK") == Array(["Approve", "Deny"].prefix(story.answers.count)))
        #expect(try fake.values(of: "SETCANCEL") == Array(["Deny …", "Cancel"].prefix(story.answers.count)))
    }

    @Test(arguments: [("ERR 83886142 Timeout\n", .unanswered), ("<exit>", .ended)] as [(String, PinentryError)])
    func aConfirmationWithoutAnswerIsNoNo(_ answer: String, _ error: PinentryError) throws {
        let fake = try FakePinentry(answer)
        #expect(throws: error) { try fake.pinentry.confirm(.init("Really?")) }
    }
}

@Suite struct PinentryQuestions {
    @Test func theClientsPlaceIsForwarded() throws {
        let place = [
            "DISPLAY": ":7", "WAYLAND_DISPLAY": "wayland-7", "XAUTHORITY": "/home/ada/.Xauthority", "TERM": "xterm",
            "LANG": "de_AT.UTF-8", "LC_CTYPE": "",
        ]
        let fake = try FakePinentry("D 271828\nOK\n", environment: place, tty: "/dev/pts/7")
        _ = try fake.pin()
        #expect(
            try fake.values(of: "OPTION") == [
                "ttyname=/dev/pts/7", "ttytype=xterm", "lc-ctype=de_AT.UTF-8", "display=:7",
                "wayland-display=wayland-7",
                "xauthority=/home/ada/.Xauthority",
            ])
    }

    @Test(arguments: [[:], ["LC_ALL": "C", "LANG": "de_AT.UTF-8"], ["LANG": "de_AT.ISO-8859-1"]])
    func aLocaleThatCannotSayEverythingIsReplaced(_ environment: [String: String]) throws {
        let fake = try FakePinentry("OK\n", environment: environment)
        _ = try fake.pin()
        #expect(try fake.values(of: "OPTION") == ["lc-ctype=C.UTF-8"])
    }

    @Test func allOfTheQuestionIsTold() throws {
        let fake = try FakePinentry("D 271828\nOK\n")
        _ = try fake.pin(
            .init(
                "Approve this", details: [DisplayText("100%\nsure"), DisplayText(BankText("a\u{1b}[2J\rb"))],
                body: DisplayText("two\nlines"),
                error: DisplayText("wrong PIN; 8 tries are left"), ok: "Approve", cancel: "Not now"))
        #expect(
            try fake.values(of: "SETDESC") == [
                "Approve this%0A100%25 ⏎ sure%0Aa⟨U+001B⟩[2J⟨U+000D⟩b%0Atwo%0Alines%0A"
                    + "Enter your Countersign PIN,%0Anot your bank's, not your log-in password"
            ])
        #expect(try fake.values(of: "SETERROR") == ["wrong PIN; 8 tries are left"])
        #expect(try fake.values(of: "SETOK") == ["Approve"])
        #expect(try fake.values(of: "SETCANCEL") == ["Not now"])
        #expect(try fake.values(of: "SETPROMPT") == ["Countersign PIN:"])
        #expect(try fake.values(of: "SETTITLE") == ["Countersign: Approve this"])
        #expect(try fake.values(of: "SETTIMEOUT") == ["30"])
    }

    private static let label = "Countersign PIN:"
    private static let long = "%0AEnter your Countersign PIN,%0Anot your bank's, not your log-in password"
    private static let short = "%0AEnter your Countersign PIN,%0Anot your bank's,%0Anot your log-in password"

    /// Pinentries that draw a question in another way than the usual one are recognised by their flavor.
    @Test(
        arguments: [
            ("gtk2", ["Headline%0Adetail%0Abody" + long], [label], ["Headline%0Adetail%0Abody"], ["Headline"]),
            ("gnome3", ["detail%0Abody" + short], ["Headline"], ["detail%0Abody"], ["Headline"]),
            ("gnome3:curses", ["Headline%0Adetail%0Abody" + long], [label], ["Headline%0Adetail%0Abody"], ["Headline"]),
            (
                "fltk", ["brief%0Anot your bank's, not your log-in password"], [label], ["Headline%0Adetail%0Abody"],
                ["Headline"]
            ),
        ] as [(String, [String], [String], [String], [String])])
    func aQuestionFitsItsWindow(
        _ flavor: String, _ above: [String], _ prompt: [String], _ asked: [String], _ unasked: [String]
    ) throws {
        let question = PinentryQuestion(
            "Headline", details: [DisplayText("detail")], body: DisplayText("body"), brief: [DisplayText("brief")])
        let withPIN = try FakePinentry("D 271828\nOK\n", environment: ["FAKE_PINENTRY_FLAVOR": flavor])
        _ = try withPIN.pin(question)
        #expect(try withPIN.values(of: "SETDESC") == above)
        #expect(try withPIN.values(of: "SETPROMPT") == prompt)
        let without = try FakePinentry("OK\n", environment: ["FAKE_PINENTRY_FLAVOR": flavor])
        _ = try without.pinentry.confirm(question)
        #expect(try without.values(of: "SETDESC") == asked)
        #expect(try without.values(of: "SETPROMPT") == unasked)
    }

    @Test func unknownOptionsAreForgivenButTheQuestionMustBeShown() throws {
        let extras = "OPTION SETTIMEOUT SETTITLE SETOK SETCANCEL"
        let plain = try FakePinentry("D 271828\nOK\n", environment: ["FAKE_PINENTRY_REFUSES": extras])
        #expect(try plain.pin() == "271828")
        let mute = try FakePinentry("D 271828\nOK\n", environment: ["FAKE_PINENTRY_REFUSES": "SETDESC"])
        #expect(throws: PinentryError.refused(83_886_355)) { try mute.pin() }
        #expect(try !mute.lines().contains("GETPIN"))
    }

    @Test func nothingButTheLineIsInherited() throws {
        // A descriptor that is not close-on-exec, and that the client does not know.
        let stray = open("/dev/null", O_RDONLY)
        defer { close(stray) }
        #expect(fcntl(stray, F_GETFD) == 0)
        let fake = try FakePinentry("OK\n")
        _ = try fake.pin()
        #expect(try fake.values(of: "FD").sorted() == ["0", "1", "2"])
    }

    @Test(arguments: [
        ("short", "C short"), ("50% of\r\nit", "C 50%25 of%0D%0Ait"),
        (String(repeating: "a", count: 998), "C " + String(repeating: "a", count: 998)),
        (String(repeating: "a", count: 999), "C " + String(repeating: "a", count: 989) + "⟨…⟩"),
        (String(repeating: "%", count: 400), "C " + String(repeating: "%25", count: 329) + "⟨…⟩"),
        (String(repeating: "✓", count: 400), "C " + String(repeating: "✓", count: 329) + "⟨…⟩"),
    ])
    func linesAreEscapedAndCut(_ text: String, _ expected: String) {
        let line = AssuanText.line("C", text)
        #expect(String(decoding: line, as: UTF8.self) == expected)
        #expect(line.count <= 1000)
    }
}
