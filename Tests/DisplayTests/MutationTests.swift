import Basics
@testable import Display
import Testing

/// Random pages and texts: none crashes, and all output is safe. Each case is named by its seed.
@Suite struct MutationTests {
    static let pieces = [
        "<p>", "</p>", "<b>", "</b>", "<table>", "</table>", "<tr>", "<td>", "</td>", "<li>", "<ul>", "</ul>", "<ol>",
        "<a href='",
        "https://x'>", "</a>", "<script>", "</script>", "<style>", "</style>", "<!--", "-->", "<!doctype html>",
        "<title>", "</title>",
        "<pre>", "</pre>", "<select>", "<option selected>", "</select>", "<input value=", "<textarea>", "<img alt=",
        "&amp;", "&#x202e;",
        "&#", "<", ">", "\"", "'", "=", "/", "\n", " ", "\t", "\u{0}", "\u{1B}[2J", "\u{202E}", "\u{200B}", "\u{301}",
        "\u{FE0F}",
        "\u{20E3}", "漢", "👩", "שלום", "١٢", "⟨U+", "⟩", "│ ", "└──", "\r", "\r\n", "\u{FFFF}", "\u{E000}", "Pay 9.90",
        "x", "1",
        "<body>", "</html>",
        "<head>", "<svg>", "<sup>", "<s>", "<frameset>", "<button>", "<form>", "<dd>", "<br>", "<hr>", "<![CDATA[",
        "]]>", "<?xml ", "?>",
    ]

    static func text(_ random: inout Seeded) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 1...40, using: &random) {
            if Int.random(in: 0..<8, using: &random) == 0,
                let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random))
            {
                text.unicodeScalars.append(scalar)
            } else {
                text += pieces.randomElement(using: &random) ?? ""
            }
        }
        return text
    }

    @Test("Random text and pages", arguments: 0..<20)
    func mutations(_ block: UInt64) throws {
        for seed in block * 1500..<(block + 1) * 1500 {
            var random = Seeded(seed)
            let source = Self.text(&random)
            expectSafe(DisplayText(BankText(source)), "seed \(seed): \(source)")
            let html = HTMLText(BankText(source), besides: DisplayText("t")).text
            expectSafe(html, "seed \(seed): \(source)")
            if seed % 10 == 0 {
                let card = try CardTests.card(
                    source, [.html(BankText(source)), .text(BankText(source)), .textOrPage(BankText(source))],
                    bank: source, code: source)
                let width = Int.random(in: 24...80, using: &random)
                expectFramed(card.lines(at: CardTests.now, width: width), width: width)
            }
        }
    }

    @Test("A real page with bytes changed", arguments: 0..<10)
    func bytes(_ block: UInt64) {
        let page = Array(
            """
            <!doctype html><html><head><meta charset="utf-8"><title>Pay</title><style>td{color:red}</style></head><body>
            <h1>Pay 9.90&nbsp;EUR</h1><table class="a"><tr><td>To</td><td><b>Fern Books</b></td></tr></table>
            <a href="https://fern.example/x?a=1&amp;b=2">more</a><script>go("</b>")</script><!-- end --></body></html>
            """.utf8)
        for seed in block * 1000..<(block + 1) * 1000 {
            var random = Seeded(seed ^ 0xABCD)
            var changed = page
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let index = Int.random(in: 0..<changed.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: changed[index] = UInt8.random(in: 0...255, using: &random)
                case 1: changed.remove(at: index)
                default:
                    changed.insert(UInt8(ascii: ["<", ">", "\"", "-"].randomElement(using: &random) ?? "/"), at: index)
                }
            }
            let source = String(decoding: changed, as: UTF8.self)
            expectSafe(HTMLText(BankText(source), besides: DisplayText("t")).text, "seed \(seed): \(source)")
        }
    }
}
