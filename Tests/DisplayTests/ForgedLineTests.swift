import Basics
import Testing

/// The place of a line says who wrote it. Whatever a payee writes into his fields and into the title, no line on a
/// terminal, in a pinentry or in a note begins like a line of ours or of the bank's, no honest word is missing, and
/// nothing was out of reach when the PIN is asked for.
///
/// A line feed that a bank lets through inside its plain text makes a line like the bank's own, so it is left out here,
/// as in `TotalDisplayTests`.
@Suite struct ForgedLineTests {
    /// What is tried beside the words of `TotalDisplayTests`: what moves the next words to the beginning of a line.
    static let words =
        TotalDisplayTests.words + [
            String(repeating: " ", count: 34), String(repeating: "\u{A0}", count: 48),
            String(repeating: "\u{2003}", count: 59),
            String(repeating: "\t", count: 20), String(repeating: "\u{3000} ", count: 15),
            String(repeating: "x", count: 41),
            String(repeating: "W", count: 23), String(repeating: "﷽", count: 9),
            String(repeating: "1\u{FE0F}\u{20E3}", count: 12),
            String(repeating: "❤\u{FE0F}", count: 14), String(repeating: "a\u{1ACF}\u{1ACF}", count: 12),
            String(repeating: "न\u{94D}\u{94D}\u{94D}", count: 7), String(repeating: "אa", count: 15),
            String(repeating: "אב ", count: 12), String(repeating: "ᄒ\u{1161}\u{11AB}", count: 9),
            String(repeating: "🇩", count: 13), String(repeating: " ", count: 1100), "↳ ", "> ", "[34 spaces]",
            "Title: ", "Amount: 1.00 EUR",
            "Amount 1.00 EUR",
            "Fingerprint: 0000 0000 0000 0000", "fingerprint 0000", "Bank: Real Bank", "Host: real.example", "To: Ada",
            "├ Real Bank · real.example ──", "└ fern:1 ──", "warning: none", "expires in 4:59",
            "Asked by process 1: init", "Fern Bank", "sca.fernbank.example", "fernbank:77, expires at 12:00",
        ]

    static func field(_ random: inout Seeded) -> String {
        (0..<Int.random(in: 1...6, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }.joined()
    }

    /// How a line begins that is ours or that the bank's template has.
    static let beginnings =
        TotalDisplayTests.labels.flatMap { [$0 + ":", $0 + " "] } + [
            "Title:", "Bank:", "Host:", "Request:", "Code:", "Fingerprint:", "Asked by ", "Expires ", "Warning:",
            "warning:", "code ", "expires ", "fingerprint ", "├", "└", "┌", "host ", "Fern Bank",
            "sca.fernbank.example", "fernbank:77",
        ]
    private static let beginningBytes = beginnings.map { Array($0.utf8) }

    /// How many lines begin so, behind our frame or our mark in front of the bank's words.
    static func counts(_ lines: [String]) -> [Int] {
        var counts = [Int](repeating: 0, count: beginnings.count)
        for line in lines {
            let text = Array(line.hasPrefix("│ ") || line.hasPrefix("> ") ? line.dropFirst(2).utf8 : line.utf8[...])
                .drop { $0 == UInt8(ascii: " ") }
            for (index, beginning) in beginningBytes.enumerated()
            where text.first == beginning[0] && text.starts(with: beginning) {
                counts[index] += 1
            }
        }
        return counts
    }

    /// 3,000 for each of seven templates, among the carriers in turn: in a debug build a card takes 1.2 ms.
    @Test("No line of a payee begins like one of ours", arguments: TotalDisplayTests.templates, 0..<2)
    func property(_ template: TotalDisplayTests.Template, _ block: Int) throws {
        let harmless = try TotalDisplayTests.card(template, ["Bob", "Bob", "Bob"], title: "Pay Bob")
        var none = Seeded(0)
        let honest = Carrier.allCases.map { Self.counts($0.reading(harmless, &none).lines) }
        for seed in UInt64(block * 1500)..<UInt64((block + 1) * 1500) {
            var random = Seeded(seed ^ 0xF04_6ED)
            let fields = (0..<3).map { _ in Self.field(&random) }
            let title = "Pay " + Self.field(&random)
            let card = try TotalDisplayTests.card(template, fields, title: title)
            let index = Int(seed) % Carrier.allCases.count
            let reading = Carrier.allCases[index].reading(card, &random)
            let miss = reading.fault ?? Self.miss(template, fields, reading, honest[index])
            if let miss {
                Issue.record(
                    """
                    seed \(seed), \(Carrier.allCases[index]), \(([title] + fields).map(\.debugDescription)): \(miss) in
                    \(reading.lines.joined(separator: "\n"))
                    """)
            }
            if case .terminal(let columns, _) = Carrier.allCases[index], seed % 100 < 5 {
                expectFramed(reading.lines, width: columns)
            }
        }
    }

    static func miss(
        _ template: TotalDisplayTests.Template, _ fields: [String], _ reading: Reading, _ honest: [Int]
    ) -> String? {
        if reading.hasContent, !reading.isCut {
            // A word may be broken; a mark or a blank stands at each break.
            let shown = Self.letters(reading.lines.joined())
            var start = 0
            for word in TotalDisplayTests.honestWords(of: template) {
                guard let end = Self.find(Self.letters(word), in: shown, from: start) else {
                    return "\(word) is missing"
                }
                start = end
            }
        }
        if template.givesLines, reading.hasContent { return nil }
        if template.form == .page, !template.escapes, reading.hasContent,
            fields.contains(where: { field in TotalDisplayTests.layout.contains { field.contains($0) } })
        {
            return nil
        }
        for (beginning, (count, most)) in zip(beginnings, zip(counts(reading.lines), honest)) where count > most {
            // A warning of ours about what the field did.
            if beginning.lowercased() == "warning:" { continue }
            return "a line begins with \(beginning)"
        }
        return nil
    }

    /// A text without blanks, our marks and isolates, which stand where lines are broken.
    static func letters(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { scalar in
            switch scalar {
            case " ", "\n", "│", "↳", ">", "\u{2068}", "\u{2069}": false
            default: true
            }
        }
    }

    /// The index behind the first occurrence of a word.
    private static func find(_ word: [Unicode.Scalar], in text: [Unicode.Scalar], from first: Int) -> Int? {
        var start = first
        while start + word.count <= text.count {
            if text[start] == word[0], text[start..<(start + word.count)] == word[...] { return start + word.count }
            start += 1
        }
        return nil
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
            for carrier in Carrier.allCases.suffix(5) {
                var random = Seeded(UInt64(count))
                let (lines, usual) = (carrier.reading(card, &random), carrier.reading(honest, &random))
                func amounts(_ reading: Reading, _ test: (String) -> Bool) -> Int {
                    reading.lines.count { $0.contains("Amount") && test($0) }
                }
                #expect(amounts(lines) { !$0.contains("↳") } <= amounts(usual) { _ in true } + 1)
                #expect(lines.fault == nil)
                #expect(Self.miss(template, ["Bob", forged, "Bob"], lines, Self.counts(usual.lines)) == nil)
            }
        }
    }

    /// What nobody can tell apart, and what this program therefore does not promise.
    @Test("A line feed that the bank lets through makes a line like the bank's own")
    func letThrough() throws {
        let card = try TotalDisplayTests.card(TotalDisplayTests.templates[0], ["Bob\nAmount: 1.00", "", ""])
        var random = Seeded(0)
        for carrier in Carrier.allCases.suffix(5) where carrier != .note {
            let lines = carrier.reading(card, &random).lines
            #expect(lines.count { $0.hasPrefix("│ Amount: ") || $0.hasPrefix("> Amount: ") } == 2)
        }
    }
}
