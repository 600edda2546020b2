@testable import Approvals
import Basics
import ApprovalModel
import Testing
@testable import Display

/// A payee chooses some fields of what a bank seals. Whatever they contain, every word of every other field is on the
/// card, in its place and order, and no line begins with a label that the bank's template does not have.
///
/// An attacker's fields have no line feed when the template is plain text, and no tag of layout when the bank writes
/// them into a page without escaping: the result would look like the bank's own lines, and no display can tell the two
/// apart.
@Suite struct TotalDisplayTests {
    /// A text with places for fields; `nil` is the attacker's.
    struct Template: Sendable, CustomTestStringConvertible {
        enum Form { case text, page, fields }
        enum Piece {
            /// Words of the bank, markup included where it is a page.
            case bank(String)
            /// A field that the attacker does not control: its words must be seen.
            case honest(String)
            case attacker
        }

        var name: String
        var form: Form
        /// Whether the bank escapes fields in its page.
        var escapes = false
        /// Whether the attacker's fields begin lines of the bank's own, and so can begin them with any word.
        var givesLines = false
        var pieces: [Piece]

        var testDescription: String { name }
    }

    static let templates: [Template] = [
        Template(
            name: "text by lines", form: .text,
            pieces: [
                .bank("To: "), .attacker, .bank("\nAmount: "), .honest("9,000.00 EUR"), .bank("\nAccount: "),
                .honest("AT61 1904 3002"), .bank("\nReference: "), .attacker, .bank("\nFee: "), .honest("1.50 EUR"),
            ]),
        Template(
            name: "text that the payee begins and ends", form: .text, givesLines: true,
            pieces: [
                .attacker, .bank("\n"), .honest("600"), .bank("\n"), .honest("everything to savings"), .bank("\n"),
                .attacker,
            ]),
        Template(
            name: "text in one line", form: .text,
            pieces: [
                .bank("Pay "), .attacker, .bank(" "), .honest("9000 EUR refund"), .bank(" "), .attacker,
                .bank(" from "),
                .honest("AT61 1904"),
            ]),
        Template(
            name: "page without escaping", form: .page,
            pieces: [
                .bank(
                    "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><style>td{color:#333}</style></head><body><h1>Pay</h1><p>To: "
                ),
                .attacker, .bank("</p><p>Amount: "), .honest("9,000.00 EUR"), .bank("</p><p>Reference: "), .attacker,
                .bank("</p><p>Fee: "), .honest("1.50 EUR"), .bank("</p></body></html>"),
            ]),
        Template(
            name: "table without escaping", form: .page,
            pieces: [
                .bank("<table><tr><td class=\"label\">To</td><td>"), .attacker,
                .bank("</td></tr><tr><td>Amount</td><td><b>"),
                .honest("9000 EUR"), .bank("</b></td></tr><tr><td>Reference</td><td>"), .attacker,
                .bank("</td></tr><tr><td>Account</td><td>"), .honest("AT61 1904"), .bank("</td></tr></table>"),
            ]),
        Template(
            name: "page with escaping", form: .page, escapes: true,
            pieces: [
                .bank("<p>To: "), .attacker, .bank("</p><p>Amount: "), .honest("9,000.00 EUR"),
                .bank("</p><p>Reference: "),
                .attacker, .bank("</p>"),
            ]),
        Template(
            name: "fields", form: .fields,
            pieces: [.attacker, .honest("9,000.00 EUR"), .attacker, .honest("AT61 1904 3002"), .attacker]),
    ]

    /// What an attacker may write: tags, quotes, comments, references, CDATA, constructs that never end or overlap,
    /// control characters, marks of direction.
    static let words = [
        "<!--", "-->", "--!>", "<!-->", "<![CDATA[", "]]>", "<?php", "?>", "<!DOCTYPE", "<!DOCTYPE html>", "<script>",
        "</script>",
        "<style>", "</style>", "<style>a{", "}</style>", "<style>a{font-weight:", "<style>.a", "{color:red}", "<title>",
        "</title>",
        "<textarea>", "</textarea>", "<select>", "<option label=\"", "<option>", "</select>", "<svg>", "</svg>",
        "<math>",
        "</math>", "<template>", "<noscript>", "<iframe srcdoc=\"", "<object data='", "<a x=\"", "<a href=\"",
        "<a href='https://x/",
        "<a href=https://x/", "</a>", "<img src=\"", "<img alt='", "<img src=https://x/", "<p data-x=\"", "<p class=\"",
        "<p class=a",
        "<p style=\"", "<p style=\"font-weight:", "<p hidden", "<b", "</b", "<td width=", "<td width=\"",
        "<input value=\"", "<q cite='",
        "<b>", "</b>", "<i>", "</i>", "<s>", "</s>", "\">", "'>", "\"", "'", ">", "<", "/>", "=", "/", "&amp;", "&lt;",
        "&#60;", "&#x3c;",
        "&#8238;", "&lt", "&", "\u{0}", "\u{1B}[2J", "\u{7}", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}",
        "\u{202E}",
        "\u{202D}", "\u{2066}", "\u{2067}", "\u{2069}", "\u{200F}", "\u{200B}", "\u{FEFF}", "\u{301}", "שלום", "عنوان",
        "١٢٣",
        "Bob", "Books,", "9.90", "EUR", "[hidden:", "]", "⟨", "⟩", "│", "Amount: 1.00", "a-", "-b", "!important}", "0",
        "\t", "\u{A0}",
        "<meta content=\"", "<link href=\"", "<base href='", "<form action=\"", "<button value=\"", "<frameset>",
        "<plaintext>",
        "<xmp>", "<listing>", "<marquee>", "<font color=\"", "<area alt=\"", "<label for=\"", "<div id=\"",
        "<details open=\"",
    ]
    /// Tags that begin a line of their own in any page.
    static let layout = [
        "<frameset>", "<plaintext>", "<xmp>", "<listing>", "<p data-x=\"", "<p class=\"", "<p class=a", "<p style=\"",
        "<p style=\"font-weight:", "<p hidden", "<td width=", "<td width=\"", "<div id=\"", "<details open=\"",
        "<form action=\"",
    ]

    static func field(_ random: inout Seeded) -> String {
        var field = ""
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            field += words.randomElement(using: &random) ?? ""
            if Int.random(in: 0..<3, using: &random) == 0 { field += " " }
        }
        return field
    }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// The card's text of one template with these fields.
    static func card(_ template: Template, _ fields: [String], title: String = "Pay") throws -> Card {
        var fields = fields[...]
        func fill(_ piece: Template.Piece) -> String {
            switch piece {
            case .bank(let words), .honest(let words): words
            case .attacker: template.escapes ? escaped(fields.popFirst() ?? "") : fields.popFirst() ?? ""
            }
        }
        let parts: [AuthorizationContent.Part]
        if template.form == .fields {
            let keys = ["payee", "amount", "reference", "account", "description"]
            parts = [
                .payment(zip(keys, template.pieces).map { LabelledText(key: $0, value: BankText(fill($1))) })
            ]
        } else {
            parts = [.textOrPage(BankText(template.pieces.map(fill).joined()))]
        }
        return try CardTests.card(title, parts)
    }

    /// The words of the bank and of honest fields, in order.
    static func honestWords(of template: Template) -> [String] {
        template.pieces.flatMap { piece -> [String] in
            switch piece {
            case .honest(let words): words.split(separator: " ").map(String.init)
            case .bank(let words):
                template.form == .page
                    ? []
                    : words.split(whereSeparator: { $0 == " " || $0 == "\n" }).map(String.init)
            case .attacker: []
            }
        }
    }

    static let labels = ["To", "Amount", "Account", "Reference", "Fee", "Description"]

    /// How many lines begin with each label.
    static func labelCounts(_ text: String) -> [Int] {
        let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
        return labels.map { label in lines.count { $0.hasPrefix(label + ":") } }
    }

    /// The lines that begin with a label where each attacker's field is a harmless name.
    static func honestCounts(of template: Template) -> [Int] {
        labelCounts((try? card(template, ["Bob", "Bob", "Bob"]))?.text ?? "")
    }

    /// What is wrong with a card of a template whose `honestCounts` are these; nil when nothing is.
    static func miss(_ template: Template, _ fields: [String], _ card: Card, _ honest: [Int]) -> String? {
        // Each word must be found behind the one before.
        let text = Array(card.text.unicodeScalars)
        var start = 0
        for word in honestWords(of: template) {
            guard let end = find(Array(word.unicodeScalars), in: text, from: start) else { return "\(word) is missing" }
            start = end
        }
        if template.givesLines { return nil }
        if template.form == .page, !template.escapes,
            fields.contains(where: { field in layout.contains { field.contains($0) } })
        {
            return nil
        }
        for (label, (count, most)) in zip(labels, zip(labelCounts(card.text), honest)) where count > most {
            return "a line begins with \(label)"
        }
        return nil
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

    /// 15,000 for each of seven templates.
    @Test("No field hides another", arguments: templates, 0..<5)
    func property(_ template: Template, _ block: Int) throws {
        let honest = Self.honestCounts(of: template)
        for seed in UInt64(block * 3000)..<UInt64((block + 1) * 3000) {
            var random = Seeded(seed ^ 0xC0FFEE)
            let fields = (0..<3).map { _ in Self.field(&random) }
            let card = try Self.card(template, fields)
            if let miss = Self.miss(template, fields, card, honest) {
                Issue.record(
                    "seed \(seed), \(fields.map(\.debugDescription)): \(miss) in \(card.text.debugDescription)")
            }
            if seed % 20 == 0 { #expect(CardPartsTests.parts(card) == CardPartsTests.lines(card)) }
            if seed % 50 == 0 { expectFramed(card.lines(at: CardTests.now, width: 64), width: 64) }
        }
    }

    /// Pairs of fields that once hid the text between them, or were made to do so.
    static let known: [(String, String)] = [
        ("Bob Books, 9.90 EUR <!--", "--><br>"), ("Bob <a x=\"", "\">"), ("Bob <script>", "</script>"),
        ("Bob <style>", "</style>"),
        ("Bob <?php", "?>"), ("Bob <!DOCTYPE", ">"), ("Bob <p data-x=\"", "\">x"), ("Bob <option label=\"", "\">"),
        ("Bob <img src=\"", "\">"), ("<p>Bob <!--", "--></p>"), ("<p class=\"a", "b\"></p>"),
        ("<style>a{font-weight:", "}</style>"),
        ("<style>a{font-weight:", " !important}</style>"), ("<style>", "{color:red}</style>"),
        ("<style>a b ", " i{color:red}</style>"),
        ("<p style=\"font-weight:", "\"></p>"), ("<b", "></b>"), ("<td width=", "></td>"), ("<title>", "</title>"),
        ("<svg>", "</svg>"), ("<textarea>", "</textarea>"), ("<a href=\"https://x/", "\"></a>"), ("<img alt=\"", "\">"),
        ("<!-- x] ", " [hidden: -->"), ("[hidden:", "]"), ("<p/", "/></p>"), ("<a href='x' ", "></a>"), ("</b", ">"),
        ("<select><option label='", "'></select>"), ("<meta content=\"", "\">"), ("<div id=\"a-", "-b\"></div>"),
        ("<img src=https://x/", "><p></p>"), ("<p title=a ", "></p>"), ("\u{202E}", "\u{202C}"), ("\u{2067}שלום", "١٢"),
    ]

    @Test("Known ways to hide a field", arguments: templates, known)
    func knownCases(_ template: Template, _ fields: (String, String)) throws {
        let card = try Self.card(template, [fields.0, fields.1, ""])
        let miss = Self.miss(
            template, [fields.0, fields.1, ""], card, Self.honestCounts(of: template))
        #expect(miss == nil, "\(card.text.debugDescription)")
    }
}
