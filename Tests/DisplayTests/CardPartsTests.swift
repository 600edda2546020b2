import ApprovalModel
import Approvals
import Basics
import Testing

/// A window draws the parts of a card, a terminal its lines. Read in order, both say the same.
@Suite struct CardPartsTests {
    /// The text without white space, rules and the ends of isolates, which each broken line has.
    private static func essence(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter {
                    !$0.properties.isWhitespace && !["\u{2500}", "\u{2068}", "\u{2069}"].contains($0)
                }))
    }

    static func lines(_ card: Card) -> String {
        let layout = card.layout(at: CardTests.now)
        // The last line has only the reference, and the one before begins with the time left.
        return essence(
            (layout.body + [layout.rule] + layout.notes + layout.foot.dropLast()).map { line in
                // The frame, and the mark of a line that was broken here.
                var rest = line.dropFirst()
                if rest.hasPrefix(" ") { rest = rest.dropFirst() }
                if rest.hasPrefix("↳ ") { rest = rest.dropFirst(2) }
                if rest.hasPrefix("expires "), let place = rest.firstRange(of: "fingerprint") {
                    rest = rest[place.lowerBound...]
                }
                return String(rest)
            }.joined())
    }

    static func parts(_ card: Card) -> String {
        let parts = card.parts
        var texts = [parts.title]
        for section in parts.sections {
            switch section {
            case .text(let text): texts.append(text)
            case .fields(let fields): texts += fields.flatMap { [$0.label, $0.value] }
            }
        }
        texts += (parts.optionsHeadline.map { [$0] } ?? []) + parts.options
        texts += [parts.bank, "·", parts.host] + parts.warnings + (parts.status.map { [$0] } ?? [])
        return essence((texts + [parts.fingerprint]).joined())
    }

    @Test func blanksAndLongWordsAreTheSame() throws {
        let text = "   indented\n\na" + String(repeating: "x", count: 300) + "  two    four \nlast"
        let card = try CardTests.card(
            "Pay  <b>9.90</b>",
            [.text(BankText(text)), .payment([LabelledText(key: "payee", value: BankText("Fern\n  Books"))])])
        #expect(Self.parts(card) == Self.lines(card))
        #expect(Self.parts(card).contains("[4spaces]four"))
    }
}
