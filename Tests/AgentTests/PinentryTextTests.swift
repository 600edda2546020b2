@testable import Agent
import Authenticator
import Basics
import Display
import Foundation
@testable import Pinentry
import SCA
import Testing

private let asker = DisplayText(
    "Asked by process 4242: countersign approve demobank:7 --fingerprint 0123, started by: /bin/bash /home/ada/pay.sh")
private let now = Date(timeIntervalSince1970: 1_900_000_000)

private func card(
    title: String = "Pay 9.90 EUR", _ parts: [AuthorizationContent.Part] = [.text(BankText("To Fern Books"))],
    bank: String = "Fern Bank", host: String = "sca.fernbank.example"
) throws -> Card {
    Card(
        Authorization(
            connection: ConnectionGUID("c-1"), id: try #require(BankID("7")), status: .pending, title: BankText(title),
            content: AuthorizationContent(parts: parts), source: BankText("{}"), code: BankText("code"), createdAt: nil,
            expiresAt: now + 300, fingerprint: try #require(Fingerprint(bytes: Array(0..<32)))),
        bank: BankText(bank), host: host, connection: try #require(ConnectionName("fern")))
}

private let hostile = "Pay\nFingerprint: 0000 0000 0000 0000\r\nAsked by process 1: init\n> x"

/// Values of each kind that a window has no room for, or that try to look like text of this program.
private let titles = [
    "Pay 9.90 EUR", String(repeating: "Books and more books ", count: 24), String(repeating: "W", count: 500),
    String(repeating: "%", count: 500), hostile, "שלום 9.90 EUR עולם " + String(repeating: "ש", count: 300),
    String(repeating: "a\u{301}\u{302}\u{303}\u{304}", count: 300), String(repeating: "支払い", count: 200), "<b>Pay</b>",
    "",
]

private func payment(_ payee: String) -> AuthorizationContent.Part {
    .payment([
        LabelledText(key: "payee", value: BankText(payee)), LabelledText(key: "amount", value: BankText("9.90 EUR")),
    ])
}

@Suite struct PinentryText {
    private func lines(_ question: PinentryQuestion, _ window: PinentryWindow = .plain, pin: Bool = true) -> [String] {
        question.lines(in: window, asksPIN: pin)
    }

    @Test func aPaymentIsTold() throws {
        let card = try card([payment("Fern Books")])
        var told = lines(.approve(card, asker))
        let who = told.remove(at: 2)
        #expect(who.hasPrefix("Asked by process 4242: countersign approve ") && who.hasSuffix("…"))
        #expect(
            told == [
                "Approve payment", "Fingerprint: \(card.fingerprint.short)", "Bank: Fern Bank · sca.fernbank.example",
                "Amount: 9.90 EUR", "To: Fern Books", "Title: Pay 9.90 EUR",
            ])
        #expect(
            lines(.approve(card, asker), .small) == [
                "Title: Pay 9.90 EUR", "Amount: 9.90 EUR to Fern Books", "Bank: Fern … · sca.fernbank.example",
                "Fingerprint: \(card.fingerprint.short)",
            ])
        #expect(lines(.deny(card, asker)).first == "Deny payment")
        let login = try self.login()
        #expect(lines(.approve(login, asker)).first == "Approve request")
        #expect(!lines(.approve(login, asker)).contains { $0.hasPrefix("Amount") || $0.hasPrefix("To:") })
    }

    private func login() throws -> Card { try card() }

    @Test(arguments: titles)
    func theEssentialsStandInSixShortLines(_ title: String) throws {
        for payee in titles {
            let card = try card(title: title, [payment(payee)])
            for question in [
                PinentryQuestion.approve(card, asker), .denyByPIN(card, asker), .deny(card, asker),
            ] {
                let lines = lines(question)
                #expect(lines.count <= 7)
                #expect(lines.allSatisfy { TextWidth.columns($0) <= 60 && TextMeasure.proportional.columns($0) <= 56 })
                #expect(lines.filter { $0.hasPrefix("Fingerprint: ") } == ["Fingerprint: \(card.fingerprint.short)"])
                #expect(lines.filter { $0.hasPrefix("Asked by ") }.count == 1)
                #expect(lines.contains("Amount: 9.90 EUR"))
                #expect(AssuanText.line("SETDESC", lines.joined(separator: "\n")).count < 1000, "nothing is cut")
                let brief = self.lines(question, .small)
                #expect(brief.count <= 4)
                #expect(brief.allSatisfy { TextMeasure.proportional.columns($0) <= 40 })
            }
        }
    }

    @Test func whatIsCutIsTold() throws {
        let card = try card(title: String(repeating: "Books ", count: 83) + "ab")
        #expect(lines(.approve(card, asker)).last?.hasSuffix("… (500 characters)") == true)
    }

    @Test(arguments: [
        ("sca.fernbank.example", "Bank: Fern Bank · sca.fernbank.example"),
        ("a-rather-long-name-of-a-host.fernbank.example", "Bank: a-rather-long-name-of-a-host.fernbank.example"),
        (
            "bank.example.com.a-name-that-somebody-chose-to-be-too-long-for-it.fern.example",
            "Bank: …-that-somebody-chose-to-be-too-long-for-it.fern.example"
        ),
    ])
    func theEndOfAHostIsNeverCut(_ host: String, _ expected: String) throws {
        let line = try #require(lines(.approve(try card(host: host), asker)).first { $0.hasPrefix("Bank") })
        #expect(line.hasSuffix(expected.suffix(20)) && TextMeasure.proportional.columns(line) <= 54)
        if !expected.contains("…") { #expect(line == expected) }
    }

    @Test(arguments: titles)
    func thePagesHoldEveryCharacter(_ title: String) throws {
        let body = titles.joined(separator: "\n\n")
        let card = try card(title: title, [.text(BankText(body)), payment(hostile)])
        let pages = PinentryQuestion.pages(of: card, to: .approve, asker, at: now)
        var content = ""
        for (index, page) in pages.enumerated() {
            let lines = lines(page, pin: false)
            #expect(lines.count <= PinentryQuestion.mostLines)
            #expect(lines.allSatisfy { TextWidth.columns($0) <= 60 && TextMeasure.proportional.columns($0) <= 56 })
            #expect(AssuanText.line("SETDESC", lines.joined(separator: "\n")).count <= 1000)
            #expect(!lines.contains { $0.unicodeScalars.contains { (0x2500...0x259F).contains($0.value) } })
            #expect(
                lines.starts(with: [
                    "Approve payment", "Page \(index + 1) of \(pages.count), then the PIN",
                    "Fingerprint: \(card.fingerprint.short)",
                ]))
            // No text from outside can begin like a line of ours.
            #expect(lines.filter { $0.hasPrefix("Fingerprint: ") }.count == 1)
            #expect(lines.filter { $0.hasPrefix("Asked by ") }.count == 1)
            content += try #require(page.body).block + "\n"
        }
        let shown = Self.letters(
            content.split(separator: "\n").map { $0.hasPrefix("> ") ? $0.dropFirst(2) : $0 }.joined())
        #expect(shown.contains(Self.letters(card.title.line)))
        // A page may end within a value; the head of the next page follows there.
        for paragraph in card.text.split(separator: "\n") where paragraph.count < 40 {
            #expect(shown.contains(Self.letters(String(paragraph))), "\(paragraph)")
        }
        for letter in Set(card.text.unicodeScalars) where letter != " " && letter != "\n" {
            let count = card.text.unicodeScalars.filter { $0 == letter }.count
            #expect(content.unicodeScalars.filter { $0 == letter }.count >= count, "\(letter)")
        }
    }

    /// The text without spaces, which a line break removes, and without isolates, which it adds.
    private static func letters(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.filter { ![" ", "\n", "\u{2068}", "\u{2069}"].contains($0) }))
    }
}
