@testable import Approvals
import Basics
import FoundationEssentials
import ApprovalModel
import Testing
@testable import Display

@Suite struct CardTests {
    static let now = Date(timeIntervalSince1970: 1_893_456_000)

    static func authorization(_ title: String, _ parts: [AuthorizationContent.Part], code: String? = "c0de")
        throws -> Authorization
    {
        try Authorization(
            connection: ConnectionGUID("guid"), id: #require(BankID("77")), status: .pending, title: BankText(title),
            content: AuthorizationContent(parts: parts), source: BankText("{}"), code: code.map { BankText($0) },
            createdAt: nil,
            expiresAt: now.addingTimeInterval(252), fingerprint: #require(Fingerprint(bytes: Array(0..<32))))
    }

    static func card(
        _ title: String, _ parts: [AuthorizationContent.Part], bank: String = "Fern Bank",
        host: String = "sca.fernbank.example", code: String? = "c0de"
    ) throws -> Card {
        try Card(
            authorization(title, parts, code: code), bank: BankText(bank), host: host,
            connection: #require(ConnectionName("fernbank")))
    }

    @Test("A payment as a card of 64 columns")
    func payment() throws {
        let card = try Self.card(
            "Pay 9.90 EUR",
            [
                .payment([
                    LabelledText(key: "payee", value: BankText("Fern Books")),
                    LabelledText(key: "exchange_rate", value: BankText("")),
                    LabelledText(key: "reference", value: BankText("R-5")),
                ]),
                .text(BankText("Thank you\nfor reading")),
                .extra([LabelledText(key: "ip", value: BankText("198.51.100.4"))]),
            ])
        #expect(
            card.lines(at: Self.now, width: 64) == [
                "┌───────────────────────────────────────────────────────────────",
                "│ Pay 9.90 EUR",
                "│",
                "│ To        Fern Books",
                "│ Reference R-5",
                "│",
                "│ Thank you",
                "│ for reading",
                "│",
                "│ IP address 198.51.100.4",
                "├ Fern Bank · sca.fernbank.example ─────────────────────────────",
                "│ code c0de",
                "│ expires in 4:12               fingerprint 0001 0203 0405 0607",
                "└ fernbank:77 ──────────────────────────────────────────────────",
            ])
        #expect(card.text == "To: Fern Books\nReference: R-5\n\nThank you\nfor reading\n\nIP address: 198.51.100.4")
        #expect(card.fields == ["payee": "Fern Books", "exchange_rate": "", "reference": "R-5", "ip": "198.51.100.4"])
        #expect(!card.html && !card.needsTypedTitle)
        #expect(card.host.line == "sca.fernbank.example")
    }

    @Test(
        "A card that went through JSON is the same card",
        arguments: [
            ("Pay 9.90 EUR", "Fern Books\n\n  two\tcolumns \u{202E}x\u{27E8}U+0041\u{27E9} ⏎", "Fern Bank"),
            ("", " \u{200B} ", "\u{1B}[31mred"),
            ("a\nb\r\nc", "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301} 👍🏽 ☺️ 1️⃣ \u{A0}", ""),
        ])
    func coding(_ title: String, _ text: String, _ bank: String) throws {
        let card = try Self.card(
            title,
            [
                .text(BankText(text)), .html(BankText("<p>\(text)<table><tr><td>a<td>b</table>")),
                .extra([LabelledText(key: "device", value: BankText(text))]),
            ], bank: bank)
        let again = try JSONDecoder().decode(Card.self, from: JSONEncoder().encode(card))
        #expect(again.lines(at: Self.now) == card.lines(at: Self.now))
        #expect(again.text == card.text && again.fields == card.fields && again.needsTypedTitle == card.needsTypedTitle)
        #expect(again.title.isBlank == card.title.isBlank && again.bank.isBlank == card.bank.isBlank)
    }

    @Test(
        "JSON with a character that is never shown is no card",
        arguments: ["\u{1B}[2J", "\u{202E}", "\u{7F}", "\t", "\u{200B}"])
    func hostileCoding(_ text: String) throws {
        var json = try #require(
            String(data: JSONEncoder().encode(try Self.card("TITLE", [.text(BankText("TEXT"))])), encoding: .utf8))
        let escaped = text.unicodeScalars.map { "\\u" + String(0x10000 + $0.value, radix: 16).dropFirst() }.joined()
        json.replace("TEXT", with: escaped)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Card.self, from: Data(json.utf8)) }
    }

    @Test(
        "JSON with a name of a field, or a fingerprint, that no card has is no card",
        arguments: ["\"key\":\"device", "\"label\":\"Device", "\"fingerprint\":\"", "{\"device"])
    func hostileNames(_ place: String) throws {
        let card = try Self.card("t", [.extra([LabelledText(key: "device", value: BankText("x"))])])
        let json = try #require(String(data: JSONEncoder().encode(card), encoding: .utf8))
        #expect(json.contains(place))
        let poisoned = json.replacing(place, with: place + "\\u001b[2J")
        #expect(throws: Never.self) { try JSONDecoder().decode(Card.self, from: Data(json.utf8)) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Card.self, from: Data(poisoned.utf8)) }
    }

    @Test(
        "A value makes no line of its own in JSON either, and its field is exact",
        arguments: [
            ("Bob\nAmount: 1.00 EUR", "Bob ⏎ Amount: 1.00 EUR", "Bob ⏎ Amount: 1.00 EUR"),
            (
                "Bob\r\n\r\n  Amount: 1.00 EUR", "Bob ⏎ [2 spaces]Amount: 1.00 EUR",
                "Bob ⏎ Amount: 1.00 EUR"
            ),
            (
                "Bob" + String(repeating: "\u{A0}", count: 34) + "Amount: 1.00 EUR",
                "Bob[34 spaces]Amount: 1.00 EUR", "Bob Amount: 1.00 EUR"
            ),
        ])
    func valueWithLineFeed(_ payee: String, _ text: String, _ field: String) throws {
        let card = try Self.card(
            "Pay",
            [
                .payment([
                    LabelledText(key: "payee", value: BankText(payee)),
                    LabelledText(key: "amount", value: BankText("9,000.00 EUR")),
                ])
            ])
        #expect(card.text == "To: \(text)\nAmount: 9,000.00 EUR")
        #expect(card.fields == ["payee": field, "amount": "9,000.00 EUR"])
        let lines = card.lines(at: Self.now, width: 80)
        #expect(lines.contains("│ To     " + text) && lines.contains("│ Amount 9,000.00 EUR"))
    }

    @Test("A page beside extra: both stand on the card")
    func page() throws {
        let extra = LabelledText(key: "device", value: BankText("Firefox\nAmount 1.00"))
        let card = try Self.card("Sign in", [.html(BankText("<p>Welcome</p>")), .extra([extra])], code: nil)
        #expect(card.html)
        #expect(
            card.lines(at: Self.now, width: 80).prefix(8).suffix(7) == [
                "│ Sign in", "│", "│ Welcome", "│", "│ Device Firefox ⏎ Amount 1.00",
                "├ Fern Bank · sca.fernbank.example " + String(repeating: "─", count: 45),
                "│ expires in 4:12               fingerprint 0001 0203 0405 0607",
            ])
        #expect(card.lines(at: Self.now.addingTimeInterval(252)).contains { $0.hasPrefix("│ expired ") })
    }

    static let empty: [[AuthorizationContent.Part]] = [
        [], [.text(BankText(""))], [.text(BankText(" \n\u{200B}"))], [.html(BankText("<img src=x><p>&nbsp;"))],
        [.payment([])], [.payment([LabelledText(key: "payee", value: BankText("\u{202E}"))])],
    ]

    @Test("Nothing to read: a warning, and the title is to be typed", arguments: empty)
    func nothing(_ parts: [AuthorizationContent.Part]) throws {
        let card = try Self.card("Pay  9.90 EUR", parts)
        #expect(card.needsTypedTitle)
        #expect(card.lines(at: Self.now).contains("│ warning: the bank sent nothing to read but this title"))
        #expect(card.isTitle(" pay 9.90 eur ") && !card.isTitle("pay 9.91 eur") && !card.isTitle(""))
    }

    @Test("No title either")
    func noTitle() throws {
        let card = try Self.card("\u{200B} ", [])
        #expect(card.title.line == "no title ⟨U+200B⟩" && card.isTitle("no title"))
        #expect(try Self.card("", []).title.line == "no title")
    }

    static let hostile = [
        "└──────────\n┌ Real Bank ───\n│ approved", "\u{1B}[2J\u{1B}[H", "\r│ x", String(repeating: "x", count: 5000),
        String(repeating: "漢", count: 500), "\u{202E}" + String(repeating: "a ", count: 500),
        "a\u{301}\u{338}\n\u{338}│",
        "├" + String(repeating: "─", count: 79), String(repeating: "\n", count: 5000) + "x", "⟨U+202E⟩",
        "❤\u{FE0F}1\u{FE0F}\u{20E3}", "↳ Amount 1.00", "a [34 spaces] b",
        "x" + String(repeating: "\u{2003}", count: 60) + "Amount 1.00",
        String(repeating: " ", count: 5000) + "x", "Fern Bank · sca.fernbank.example ───",
    ]

    @Test("No text of a bank leaves the frame", arguments: hostile)
    func frame(_ text: String) throws {
        for width in [10, 24, 40, 64, 80, 200] {
            let value = BankText(text)
            let card = try Self.card(
                text,
                [
                    .text(value), .html(BankText("<pre>" + text + "</pre>")),
                    .payment([LabelledText(key: "payee", value: value), LabelledText(key: text, value: value)]),
                ], bank: text, host: "xn--80ak6aa92e.example:8443", code: text)
            let lines = card.lines(at: Self.now, width: width)
            expectFramed(lines, width: min(max(width, 24), 80))
            let place = lines.drop { !$0.hasPrefix("├ ") }.prefix(2)
            #expect(place.joined().filter { $0 != "│" && $0 != " " }.contains("xn--80ak6"))
        }
    }

    @Test("The host is whole in the header, whatever the bank is called")
    func header() throws {
        let long = String(repeating: "Real Bank ─── ", count: 20)
        let lines = try Self.card("t", [], bank: long).lines(at: Self.now)
        let rule = try #require(lines.first { $0.hasPrefix("├ ") })
        #expect(rule.contains("… · sca.fernbank.example ─"))
        #expect(rule.hasPrefix("├ Real Bank ⟨U+2500⟩"))
        let host = String(repeating: "very-long-label.", count: 15) + "example"
        let wide = try Self.card("t", [], host: host).lines(at: Self.now)
        let below = wide.drop { !$0.hasPrefix("├ Fern Bank ─") }
        let shown = below.dropFirst().prefix(4).map { $0.dropFirst(2).replacing("↳ ", with: "") }.joined()
        #expect(shown.hasPrefix("host " + host))
        #expect(
            try Self.card("t", [], bank: "\u{200B}").lines(at: Self.now).contains {
                $0.hasPrefix("├ a bank without a name · sca")
            })
    }

    @Test(
        "Of a long code the first characters and the length; whole where that is asked for",
        arguments: [
            ("123456", "code 123456"), (String(repeating: "a", count: 24), "code " + String(repeating: "a", count: 24)),
            (String(repeating: "Az3_", count: 6) + "x", "code Az3_Az3_Az3_…"),
            (String(repeating: "Az3_", count: 21) + "xy", "code Az3_Az3_Az3_…"),
        ])
    func codes(_ code: String, _ shown: String) throws {
        let card = try Self.card("Pay", [.text(BankText("To Fern Books"))], code: code)
        let count = code.count > 24 ? " (\(code.count) characters)" : ""
        let line = try #require(card.lines(at: Self.now).first { $0.contains("code ") })
        #expect(line == "│ \(shown)\(count)")
        let whole = card.lines(at: Self.now, isCodeWhole: true)
            .map { $0.dropFirst(2).replacing("↳ ", with: "") }.joined()
        #expect(whole.contains(code))
    }

    @Test("Nothing of a long text is left out")
    func whole() throws {
        let words = (0..<20_000).map { "w\($0)" }
        let card = try Self.card("t", [.text(BankText(words.joined(separator: " ")))])
        let shown = card.lines(at: Self.now).flatMap { $0.dropFirst(2).split(separator: " ").map(String.init) }
        #expect(shown.filter { $0.hasPrefix("w") && $0.dropFirst().allSatisfy(\.isNumber) } == words)
    }

    @Test("Attributes of the terminal stand only around text, and only when asked for")
    func style() throws {
        let card = try Self.card("Pay\u{1B}[0m", [.text(BankText("\u{1B}[1m"))])
        let lines = card.lines(at: Self.now, style: .ansi)
        #expect(lines[1] == "│ \u{1B}[1mPay⟨U+001B⟩[0m\u{1B}[0m")
        #expect(!card.lines(at: Self.now).joined().contains("\u{1B}"))
    }
}
