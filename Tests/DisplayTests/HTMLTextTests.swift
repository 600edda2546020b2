import SCA
import Testing

@testable import Display

@Suite struct HTMLTextTests {
    private func read(_ page: String, title: String = "Title") -> HTMLText {
        HTMLText(BankText(page), besides: DisplayText(title))
    }

    static let pages: [(String, String)] = [
        ("plain", "plain"),
        ("<p>one<p>two", "one\n\ntwo"),
        ("<div>one</div><div>two</div>three", "one\ntwo\nthree"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("  a \n\t b  ", "a b"),
        ("<b>9</b>.<i>90</i> <u>EUR</u>", "9.90 EUR"),
        ("&euro; 5 &amp; &lt;b&gt; &#x41;&#66; &nbsp;x &nope;", "€ 5 & <b> AB  x &nope;"),
        ("a < b and 3<5", "a < b and 3<5"),
        // Nothing that runs, looks or loads.
        ("<script>alert(1)</script>a<style>p{color:red}</style>b", "ab"),
        ("<script>'</b>'</script><SCRIPT src=//x></SCRIPT>a", "a"),
        ("<link rel=stylesheet href=http://127.0.0.1:1/><img src=http://127.0.0.1:1/ alt='a  b'>", "[image: a b]"),
        ("<iframe src=http://127.0.0.1:1/></iframe>x", "[iframe]x"),
        ("<object data=x>fall back</object>", "[object]fall back"),
        ("<noscript>no script</noscript>", "no script"),
        ("<p onclick='x()'>a</p><svg onload=x><text>b</text></svg>", "a\n\nb"),
        // What CSS hides is shown.
        ("<p style='display:none'>hidden</p><p hidden>too</p>", "hidden\n\ntoo"),
        ("<style>.a{display:none}</style><span class=a>hidden</span>", "hidden"),
        ("<template>in a template</template>", "in a template"),
        // Comments, as browsers end them.
        ("a<!-- no -->b", "ab"), ("<!-->shown-->", "shown-->"), ("<!--->shown", "shown"), ("<!-- x --!>shown", "shown"),
        // Images and fields.
        ("<img src=x><img alt=\"\">y", "[image][image]y"),
        ("<input value='a&quot;b'> <input placeholder=name> <input>", "[field: a\"b] [field: name] [field]"),
        ("<input type=hidden value=7>", "[hidden field: 7]"),
        ("<input type=checkbox checked><input type=radio value=yes>", "[field: checked][field: yes, not checked]"),
        ("<select><option>a<option selected>b</select>", "[field: a / b (chosen)]"),
        ("<textarea> hello </textarea><button>OK</button>", "[field: hello ][button: OK]"),
        // Prices that run together otherwise.
        ("9<sup>90</sup> H<sub>2</sub>", "9^90 H_2"), ("<s>1000</s> 10", "[struck out: 1000] 10"),
        // Tables keep their columns apart.
        ("<table><tr><td>To</td><td>Fern</td></tr><tr><td>Sum</td><td>9</td></tr></table>", "To | Fern\nSum | 9"),
        ("<table><tr><th>A<th>B<tr><td><p>1</p><td><div>2</div></table>x", "A | B\n1 | 2\n\nx"),
        ("<table><tr><td></td><td>b</td><td></td><td>d</td></tr></table>", "| b |  | d"),
        ("<table><tr><td>A<td><table><tr><td>x<td>y</table><td>B</table>", "A |\nx | y\n\nB"),
        ("<td>loose<td>two", "loose\ntwo"),
        // Lists.
        ("<ul><li>one<li><p>two</p><ol><li>x<li>y</ol></ul>", "- one\n- two\n\n  1. x\n  2. y"),
        ("<dl><dt>To<dd>Fern</dl>", "To\n  Fern"),
        ("<li>loose", "- loose"),
        // Links.
        ("<a href='https://evil.example/x'>fern.example</a>", "fern.example [link: https://evil.example/x]"),
        (
            "<a href='https://fern.example/'>fern.example</a> <a href='mailto:a@b.example'>a@b.example</a>",
            "fern.example a@b.example"
        ),
        ("<a href='#top'>top</a><a>none</a>", "topnone"),
        ("<a href='https://\u{430}pple.example'>apple.example</a>", "apple.example [link: https://%D0%B0pple.example]"),
        ("<a href='java&#10;script:x(1)'>go</a>", "go [link: java%0Ascript:x(1)]"),
        // Preformatted text.
        ("<pre>a\n  b\n\n\n\nc</pre>d", "a\n  b\n\nc\n\nd"),
        ("<h1>One</h1><hr>two", "One\n\n---\ntwo"),
        // Charset lies and what the parser would drop.
        ("<meta charset=iso-8859-1><p>ä€漢", "ä€漢"),
        ("<?xml version='1.0' encoding='UTF-16'?><p>ä", "ä"),
        ("<meta http-equiv=content-type content='text/html; charset=utf-7'>+ADw-b+AD4- ä", "+ADw-b+AD4- ä"),
        ("\u{0}\u{0}\u{0}<p>a\u{0}b", "\u{FFFD}\u{FFFD}\u{FFFD}\n\na\u{FFFD}b"),
        ("a\u{1B}[31mb\u{C}c\u{FFFF}", "a\u{241B}[31mb c\u{FFFD}"),
        ("\u{FEFF}<p>a", "a"),
        ("a&#x202e;b&#27;c", "a⟨U+202E⟩bc"),
        ("a\u{200B}b\u{85}", "a⟨U+200B⟩b⟨U+0085⟩"),
        // Broken pages.
        ("</html>Pay 900", "Pay 900"), ("<body>a</body></html>b<p>c", "a\n\nb\n\nc"), ("<body>a</body><body>b", "a\nb"),
        ("<b><i>x</b></i></p></div>y", "xy"), ("</td></tr></table></ul>x", "x"),
        ("<head>text<p>x</head>y", "text\n\nxy"),
        ("<frameset><frame src=x></frameset>after", "[frame]\n\nafter"),
    ]

    @Test("Pages as text", arguments: pages)
    func page(_ source: String, _ expected: String) {
        let text = read(source).text
        #expect(text.block == expected, "\(text.block.debugDescription)")
        expectSafe(text, source)
    }

    static let unreadable = [
        "<p><b x=\"> Pay 900", "x<script>Pay 900", "x<STYLE>Pay 900", "x<!-- Pay 900", "x</b Pay 900", "x<?php Pay 900",
        "x<!doctype Pay 900", "<img alt='> Pay 900 <p>",
        String(repeating: "<div>", count: 10_000) + "Pay 900",
        String(repeating: "<table><tr><td>", count: 10_000) + "Pay 900",
        "<p " + (0..<100_000).map { "a\($0) " }.joined() + ">Pay 900",
        "Pay 900" + String(repeating: " <p>", count: 600_000),
    ]

    @Test("A page that could hide its end is shown as its source", arguments: unreadable)
    func source(_ page: String) {
        let read = read(page)
        #expect(read.text.block.hasPrefix("[this page cannot be read safely; its source follows]\n"))
        #expect(read.text.block.contains("Pay 900"))
        #expect(!read.isBlank)
    }

    @Test(
        "A page that only ends early is read as it is",
        arguments: ["<p>Pay <b>900", "<table><tr><td>Pay 900", "Pay 900 <"])
    func unclosed(_ page: String) {
        #expect(read(page).text.line.hasPrefix("Pay"))
    }

    @Test(
        "Blank pages",
        arguments: [
            ("", true), ("<html><body></body></html>", true), ("<p>&nbsp;&#x200b;</p>", true), ("<img src=x>", true),
            ("<script>x</script>", true), ("<table><tr><td></td><td></td></tr></table>", true),
            ("<img alt=Pay>", false),
            ("<input value=5>", false), ("<title>Pay</title>", false),
            (String(repeating: " <p>", count: 5000) + "x", false),
        ])
    func blank(_ page: String, _ expected: Bool) {
        #expect(read(page).isBlank == expected)
    }

    @Test(
        "The page's own title stands once",
        arguments: [
            ("<title>Pay</title><p>To Fern", "Pay\n\nTo Fern"), ("<title>Title</title><p>To Fern", "To Fern"),
            ("<title>Pay</title><h1>Pay</h1>To Fern", "Pay\n\nTo Fern"), ("<title>a<p>b</title>c", "a\n\nb\n\nc"),
        ])
    func title(_ page: String, _ expected: String) {
        #expect(read(page).text.block == expected)
    }

    @Test(
        "Floods of one tag go through",
        arguments: [
            "<p>", "<b>x</b>", "<td>", "<li>x", "<a href=x>", "</b>", "<br>", "&amp;", "<!---->", "< ",
            "<table><tr><td>x</table>",
            "<select><option>", "<b><p>", "<sup>", "<p a=b c=d>", "&#x202e;", "<ul><li></ul>", "<a href=x>y</a>",
            "<!--", "<x",
            "\u{0}", "<pre>\n</pre>",
        ])
    func large(_ unit: String) {
        let page = "Pay 900 " + String(repeating: unit, count: 60_000 / unit.utf8.count)
        let text = read(page).text
        #expect(text.block.contains("Pay 900"))
        let isSafe = !text.block.unicodeScalars.contains { $0 != "\n" && isForbidden($0) }
        #expect(isSafe)
    }

    @Test("A megabyte goes through")
    func megabyte() {
        let row = "<tr><td>To &amp; from</td><td><b>Fern</b> \u{202E}</td></tr>"
        let read = read("<table>" + String(repeating: row, count: 1_048_576 / row.utf8.count) + "</table>Pay 900")
        #expect(read.text.block.hasPrefix("To & from | Fern ⟨U+202E⟩\nTo & from | Fern ⟨U+202E⟩\n"))
        #expect(read.text.block.hasSuffix("\n\nPay 900"))
    }
}
