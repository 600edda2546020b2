@testable import Authenticator
import Basics
import SCA
import Testing
@testable import Display

/// The place of a line says who wrote it. Whatever a payee writes into his fields, no line on a terminal, in a pinentry
/// or in a note begins like a line of ours or of the bank's, and no honest word is missing.
///
/// A line feed that a bank lets through inside its plain text makes a line like the bank's own, so it is left out here,
/// as in `TotalDisplayTests`.
@Suite struct ForgedLineTests {
    /// Where a card is shown, and in lines of which length.
    enum Carrier: CaseIterable {
        case small, usual, window, narrowWindow

        /// All lines of the card, broken as this carrier breaks them.
        func lines(_ card: Card) -> [String] {
            switch self {
            case .small: card.lines(at: CardTests.now, width: 60)
            case .usual: card.lines(at: CardTests.now, width: 80)
            case .window: plain(card, 35)
            case .narrowWindow: plain(card, 22)
            }
        }

        private func plain(_ card: Card, _ width: Int) -> [String] {
            card.plainLines(at: CardTests.now, askedBy: DisplayText("Asked by process 7: countersign")).flatMap {
                TextLines.of($0, width: width, by: .proportional)
            }
        }
    }

    /// What is tried beside the words of `TotalDisplayTests`: what moves the next words to the beginning of a line.
    static let words =
        TotalDisplayTests.words + [
            String(repeating: " ", count: 34), String(repeating: "\u{A0}", count: 48),
            String(repeating: "\u{2003}", count: 59),
            String(repeating: "\t", count: 20), String(repeating: "\u{3000} ", count: 15),
            String(repeating: "x", count: 41),
            String(repeating: "W", count: 23), String(repeating: "﷽", count: 9),
            String(repeating: "1\u{FE0F}\u{20E3}", count: 12),
            String(repeating: "❤\u{FE0F}", count: 14), "↳ ", "> ", "[34 spaces]", "Title: ", "Amount: 1.00 EUR",
            "Amount 1.00 EUR",
            "Fingerprint: 0000 0000 0000 0000", "fingerprint 0000", "Bank: Real Bank", "Host: real.example", "To: Ada",
            "├ Real Bank · real.example ──", "└ fern:1 ──", "warning: none", "expires in 4:59",
            "Asked by process 1: init",
        ]

    static func field(_ random: inout Seeded) -> String {
        (0..<Int.random(in: 1...6, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }.joined()
    }

    /// How a line begins that is ours or that the bank's template has.
    static let beginnings =
        TotalDisplayTests.labels.flatMap { [$0 + ":", $0 + " "] } + [
            "Title:", "Bank:", "Host:", "Request:", "Code:", "Fingerprint:", "Asked by ", "Expires ", "Warning:",
            "warning:", "code ",
            "expires ", "fingerprint ", "├", "└", "┌", "host ",
        ]

    /// How many lines begin so, behind our frame or our mark in front of the bank's words.
    static func counts(_ lines: [String]) -> [Int] {
        let texts = lines.map { line in
            let text = line.hasPrefix("│ ") || line.hasPrefix("> ") ? line.dropFirst(2) : line[...]
            return text.drop { $0 == " " }
        }
        return beginnings.map { beginning in texts.count { $0.hasPrefix(beginning) } }
    }

    /// 15,000 for each of seven templates, among the carriers in turn.
    @Test("No line of a payee begins like one of ours", arguments: TotalDisplayTests.templates, 0..<5)
    func property(_ template: TotalDisplayTests.Template, _ block: Int) throws {
        let harmless = try TotalDisplayTests.card(template, ["Bob", "Bob", "Bob"])
        let honest = Carrier.allCases.map { Self.counts($0.lines(harmless)) }
        for seed in UInt64(block * 3000)..<UInt64((block + 1) * 3000) {
            var random = Seeded(seed ^ 0xF04_6ED)
            let fields = (0..<3).map { _ in Self.field(&random) }
            let card = try TotalDisplayTests.card(template, fields)
            let index = Int(seed) % Carrier.allCases.count
            let lines = Carrier.allCases[index].lines(card)
            if let miss = Self.miss(template, fields, lines, honest[index]) {
                Issue.record(
                    "seed \(seed), \(fields.map(\.debugDescription)): \(miss) in\n\(lines.joined(separator: "\n"))")
            }
            if index < 2, seed % 50 < 2 { expectFramed(lines, width: index == 0 ? 60 : 80) }
        }
    }

    static func miss(
        _ template: TotalDisplayTests.Template, _ fields: [String], _ lines: [String], _ honest: [Int]
    ) -> String? {
        // A word may be broken; a mark or a blank stands at each break.
        let shown = Self.letters(lines.joined())
        var rest = shown[...]
        for word in TotalDisplayTests.honestWords(of: template) {
            guard let found = rest.firstRange(of: Self.letters(word)) else { return "\(word) is missing" }
            rest = rest[found.upperBound...]
        }
        if template.givesLines { return nil }
        if template.form == .page, !template.escapes,
            fields.contains(where: { field in TotalDisplayTests.layout.contains { field.contains($0) } })
        {
            return nil
        }
        for (beginning, (count, most)) in zip(beginnings, zip(counts(lines), honest)) where count > most {
            // A warning of ours about what the field did.
            if beginning.lowercased() == "warning:" { continue }
            return "a line begins with \(beginning)"
        }
        return nil
    }

    private static func letters(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { !" \n│↳>\u{2068}\u{2069}".unicodeScalars.contains($0) }
    }

    /// A title stands in a note as one line, and in the notes' order of lines none is added.
    @Test("A title is one line in a note", arguments: 0..<4)
    func note(_ block: UInt64) throws {
        for seed in block * 1000..<(block + 1) * 1000 {
            var random = Seeded(seed)
            let title = Self.field(&random) + "\n" + Self.field(&random)
            #expect(!DisplayText(BankText(title)).line.contains("\n"))
        }
    }

    /// The forgeries that were proved once: by blanks in a text, in a page that was escaped, in a value.
    @Test(
        "Blanks move no words to the beginning of a line",
        arguments: [" ", "\u{A0}", "\u{2003}", "\t", "\u{3000}", "&nbsp;", "&#8195;"], [34, 59, 120, 400])
    func blanks(_ blank: String, _ count: Int) throws {
        let forged = "Bob" + String(repeating: blank, count: count) + "Amount: 9.90 EUR"
        for template in TotalDisplayTests.templates where !template.givesLines {
            let card = try TotalDisplayTests.card(template, ["Bob", forged, "Bob"])
            let honest = try TotalDisplayTests.card(template, ["Bob", "Bob", "Bob"])
            for carrier in Carrier.allCases {
                let lines = carrier.lines(card)
                #expect(
                    lines.count { $0.contains("Amount") && !$0.contains("↳") } <= carrier.lines(honest).count {
                        $0.contains("Amount")
                    } + 1)
                #expect(Self.miss(template, ["Bob", forged, "Bob"], lines, Self.counts(carrier.lines(honest))) == nil)
            }
        }
    }

    /// What nobody can tell apart, and what this program therefore does not promise.
    @Test("A line feed that the bank lets through makes a line like the bank's own")
    func letThrough() throws {
        let card = try TotalDisplayTests.card(TotalDisplayTests.templates[0], ["Bob\nAmount: 1.00", "", ""])
        #expect(Carrier.usual.lines(card).count { $0.hasPrefix("│ Amount: ") } == 2)
        #expect(Carrier.window.lines(card).count { $0.hasPrefix("> Amount: ") } == 2)
    }
}
