import Basics
@testable import Display
import Testing

@Suite struct HTMLPageTests {
    @Test(
        "The whole of it is a page",
        arguments: [
            "<!doctype html><p>x</p>", "<!DOCTYPE HTML>\n<html lang=de><body>x</body></html>\n", "<b>bold</b>",
            "<div class=x></div>",
            "  <a href=\"https://x\">y</a>  ", "<p>one<p>two</p>", "<table><tr><td>a<td>b</table>", "<p\n>x</p>",
            "<p>x</p><br/>",
            "<!-- bank --><p>x</p>", "<p>a</p>\n<p>b</p><!-- end -->", "<script>secret()</script>", "<p>a < b</p>",
            "<ul><li>a<li>b</ul>", "<p>x</p><img src=x>",
        ])
    func whole(_ text: String) {
        #expect(HTMLPage(BankText(text)).isWhole)
    }

    @Test(
        "Text with tags in it is text",
        arguments: [
            "", "To Fern Books", "a < b", "a<b>c", "x <3", "mail <a@b>", "<joe@bank.example>", "see <address>",
            "5 &amp; 6",
            "<<<>>>", "<", "</", "<b", "<p", "<b and c>", "<Fern GmbH>", "<ref=5>", "</b>", "<p is less than q>",
            "< p >",
            "<pay>", "<!-- x -->", "<https://fern.example>", "<!", "a<b && c>d", "x<br>y", "text <i>x</i>",
            "<b>x</b> text",
            "<b>x</b> text <b>y</b>", "To: Bob Books, 9.90 EUR <!--\nAmount: 9000 EUR\nReference: --><br>",
            "<p>x</p><!-- open", "<p>x</p><a x=\"", "<p>x</p><script>y", "<!ELEMENT x><p>x</p>",
            "</p><p>x</p>text<p></p>",
        ])
    func plain(_ text: String) {
        #expect(!HTMLPage(BankText(text)).isWhole)
    }

    @Test("The tokens of any text are the whole text", arguments: 0..<20)
    func total(_ block: UInt64) {
        for seed in block * 1500..<(block + 1) * 1500 {
            var random = Seeded(seed)
            let page = HTMLPage(BankText(MutationTests.text(&random)))
            var index = 0
            for token in page.tokens {
                #expect(token.range.lowerBound == index && !token.range.isEmpty, "seed \(seed)")
                index = token.range.upperBound
            }
            #expect(index == page.bytes.count, "seed \(seed)")
        }
    }

    @Test(
        "Floods go through",
        arguments: ["<", "<a ", "<b>", "<b ", "<p", "</b>", "<!", "<a href", "<a \"x\" ", "<!--", "<?", "<title>"])
    func large(_ unit: String) {
        let text = String(repeating: unit, count: 200_000 / unit.utf8.count)
        _ = HTMLPage(BankText(text)).isWhole
    }
}

@Suite struct HarmlessMarkupTests {
    @Test(
        "Style sheets of real pages are harmless",
        arguments: [
            "body { font-family: sans-serif; color: #1b2330; background: #fff; }",
            "td,th{padding:4px 8px;border:1px solid #ccc}\n\n.amount { font-size: 1.4em; font-weight: bold; }",
            "@media (prefers-color-scheme: dark) { body { color: #e8edf4; } th { color: #aab6c6; } }",
            "@media screen and (max-width: 600px) { .card > p { margin: 0 auto } }".replacing(" }", with: "}"),
            "a:hover, #total{color:rgba(0, 10, 20, .5) !important}", ":root { color-scheme: light dark; }", "",
            "p{font-family:-apple-system, BlinkMacSystemFont, \"Segoe UI\", Arial, sans-serif}",
            "p { line-height: 1.5; opacity: 0; font-weight: 600; }",
        ])
    func sheets(_ sheet: String) {
        #expect(HarmlessCSS.isSheet(sheet))
    }

    @Test(
        "Anything else is not",
        arguments: [
            "/* 9000 EUR */", "body{content:\"9000\"}", "Amount: 9000 EUR {color:red}", "p{color:red} 9000 EUR",
            "@import url(x);",
            "p{background:url(https://x)}", "p{font-family:\"9000 EUR\"}", "p{width:90000px}",
            "p{margin: 600 !important 0}",
            "p{margin: 12 0}", "p{font-weight: 600 }", "p{font-weight:\n600\n}", "p{color:}", "p{", "p{color:red",
            "p color:red",
            "p{color:red}}", "To, Bob{color:red}", "address{color:red}", ".a9000-b{color:red}",
            "@media 9000 { p{color:red} }",
        ])
    func others(_ sheet: String) {
        #expect(!HarmlessCSS.isSheet(sheet))
    }

    @Test(
        "Classes are names, never sentences",
        arguments: [
            ("card", true), ("btn btn-primary", true), ("amountLarge", true), ("col-6", true), ("h1", true),
            ("a b", false),
            ("a from savings to b", false), (" everything to ", false), ("a-9000-b", false), ("a-90-b", false),
            ("9000", false),
            ("", false), ("x\ny", false), ("a-b refund c-d", false), ("-a", false), ("a-", false), ("Amount:", false),
        ])
    func classes(_ value: String, _ expected: Bool) {
        #expect(HTMLHarmlessMarkup.isNames(value) == expected)
    }

    @Test(
        "Addresses of pictures are short of numbers and of words",
        arguments: [
            ("https://fern.example/logo.png", true), ("http://fern.example/logo.png", false),
            ("https://fern.example/?a", false),
            ("https://fern.example/9000/x.png", false), ("https://fern.example/ 90 EUR", false), ("logo.png", false),
        ])
    func addresses(_ value: String, _ expected: Bool) {
        #expect(HTMLHarmlessMarkup.isAddress(value) == expected)
    }

    /// Each tag takes the same time, however deep it stands: quadratic work would take minutes here.
    @Test(
        "Very many tags, nested as deep as can be", .timeLimit(.minutes(5)),
        arguments: [
            "</b>", "</i>", "</td>", "</table>", "<td>", "<tr>", "<li>", "<p>", "<option>", "<b></b>", "<td a=1 b=2>",
        ])
    func manyTags(_ tag: String) {
        let deep = String(repeating: "<b>", count: 200) + "<table>" + String(repeating: "<div>", count: 199)
        let source = "<p>Pay" + deep + String(repeating: tag, count: 60_000) + "the end</p>"
        let page = HTMLPage(BankText(source))
        #expect(page.tokens.count <= HTMLScanner.mostTokens + 1)
        let text = HTMLText(page, besides: DisplayText("t")).text.block
        #expect(text.hasPrefix("Pay") && text.contains("the end"))
    }

    @Test("Of a page with too many tags the rest of the source is shown")
    func tooManyTags() {
        let source = "<p>" + String(repeating: "<b>x</b>", count: 20_000) + "</p><p hidden>Amount 9,000.00</p>"
        let page = HTMLPage(BankText(source))
        #expect(!page.isWhole)
        let text = HTMLText(page, besides: DisplayText("t")).text.block
        #expect(
            text.contains("[the page breaks off here; the rest of its source:] ")
                && text.hasSuffix("<p hidden>Amount 9,000.00</p>"))
    }
}
