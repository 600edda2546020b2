@testable import Agent
import Approvals
import Basics
import Display
import Foundation
@testable import Pinentry
import ApprovalModel
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
    private static let words = ["Enter your Countersign PIN,", "not your bank's, not your log-in password"]

    private func lines(_ question: PinentryQuestion, _ window: PinentryWindow = .plain, pin: Bool = true) -> [String] {
        question.lines(in: window, asksPIN: pin)
    }

    @Test func aPaymentIsTold() throws {
        let card = try card([payment("Fern Books")])
        var told = lines(.pin(to: .approve, card, asker))
        let who = told.remove(at: 5)
        #expect(who.hasPrefix("Asked by process 4242: countersign approve ") && who.hasSuffix("…"))
        #expect(
            told == [
                "Approve payment", "Title: Pay 9.90 EUR", "Amount: 9.90 EUR", "To: Fern Books",
                "Bank: Fern Bank · sca.fernbank.example", "Fingerprint: \(card.fingerprint.short)",
            ] + Self.words)
        #expect(
            lines(.pin(to: .approve, card, asker), .small) == [
                "Title: Pay 9.90 EUR", "Amount: 9.90 EUR to Fern Books", "Fingerprint: \(card.fingerprint.short)",
                Self.words[1],
            ])
        #expect(lines(.pin(to: .approve, card, choosing: "42", asker), .small)[1] == "Your choice: 42")
        #expect(lines(.agree(to: .deny, card, asker), pin: false).first == "Deny payment")
        let login = try self.login()
        #expect(lines(.pin(to: .approve, login, asker)).first == "Approve request")
        #expect(lines(.pin(to: .approve, login, asker), .small)[1].hasPrefix("Bank: "))
        #expect(!lines(.pin(to: .approve, login, asker)).contains { $0.hasPrefix("Amount") || $0.hasPrefix("To:") })
    }

    private func login() throws -> Card { try card() }

    @Test(arguments: titles)
    func theEssentialsStandInShortLines(_ title: String) throws {
        for payee in titles {
            let card = try card(title: title, [payment(payee)])
            let questions: [(PinentryQuestion, Bool)] = [
                (.pin(to: .approve, card, asker), true), (.pin(to: .deny, card, asker), true),
                (.agree(to: .deny, card, asker), false),
            ]
            for (question, pin) in questions {
                for window in [PinentryWindow.plain, .headlined] {
                    let lines = lines(question, window, pin: pin)
                    #expect(lines.count <= (window == .plain ? 9 : 20))
                    #expect(lines.allSatisfy { TextMeasure.proportional.size($0) <= window.width(asksPIN: pin) })
                    #expect(lines.count { $0.hasPrefix("Fingerprint: ") } == 1)
                    #expect(lines.count { $0.hasPrefix("Asked by ") } == 1)
                    #expect(lines.count { $0.hasPrefix("Title:") } == 1)
                    #expect(lines.contains("Amount: 9.90 EUR") && !lines.contains("⟨…⟩"))
                    #expect(!pin || lines.last?.hasSuffix("not your log-in password") == true)
                    #expect(AssuanText.line("SETDESC", lines.joined(separator: "\n")).count < 1000, "nothing is cut")
                }
                guard pin else { continue }
                let brief = self.lines(question, .small)
                #expect(brief.count == 4 && brief[0].hasPrefix("Title: ") && brief[2].hasPrefix("Fingerprint: "))
                #expect(brief.prefix(3).allSatisfy { TextMeasure.proportional.size($0) <= 25 })
            }
        }
    }

    @Test func whatIsCutIsTold() throws {
        let card = try card(title: String(repeating: "Books ", count: 83) + "ab")
        #expect(lines(.pin(to: .approve, card, asker))[1].hasSuffix("… (500 characters)"))
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
        let line = try #require(lines(.pin(to: .approve, try card(host: host), asker)).first { $0.hasPrefix("Bank") })
        #expect(line.hasSuffix(expected.suffix(20)) && TextMeasure.proportional.size(line) <= 35)
        if !expected.contains("…") { #expect(line == expected) }
    }

    @Test(arguments: titles)
    func thePagesHoldEveryCharacter(_ title: String) throws {
        let body = titles.joined(separator: "\n\n")
        let card = try card(title: title, [.text(BankText(body)), payment(hostile)])
        let pages = PinentryQuestion.pages(of: card, to: .approve, asker, at: now)
        var content = ""
        var all: [String] = []
        for (index, page) in pages.enumerated() {
            let lines = lines(page, pin: false)
            #expect(lines.count <= 16 && self.lines(page, .headlined, pin: false).count <= 20)
            #expect(!lines.contains { $0.unicodeScalars.contains { (0x2500...0x259F).contains($0.value) } })
            #expect(lines.starts(with: ["Approve payment", "Page \(index + 1) of \(pages.count), then the PIN"]))
            all += lines
            content += try #require(page.body).block + "\n"
        }
        // The bank's words come first, ours last, and no text from outside begins like a line of ours.
        #expect(all[2].hasPrefix("Title: ") && all.last == "Fingerprint: \(card.fingerprint.short)")
        for label in ["Title: ", "Fingerprint: ", "Asked by ", "Bank: ", "Host: ", "Request: "] {
            #expect(all.count { $0.hasPrefix(label) } == 1, "\(label)")
        }
        let shown = Self.letters(content)
        #expect(shown.contains(Self.letters(card.title.line)))
        for paragraph in card.text.split(separator: "\n") where paragraph.count < 40 {
            #expect(shown.contains(Self.letters(String(paragraph))), "\(paragraph)")
        }
        for letter in Set(card.text.unicodeScalars) where letter != " " && letter != "\n" {
            let count = card.text.unicodeScalars.filter { $0 == letter }.count
            #expect(content.unicodeScalars.filter { $0 == letter }.count >= count, "\(letter)")
        }
    }

    /// The text without spaces, which a line break removes, without isolates, which it adds, and without our marks.
    private static func letters(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { ![" ", "\n", "\u{2068}", "\u{2069}", ">", "↳"].contains($0) }))
    }
}
