import Basics
@testable import Display
import Testing

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
        ("&Auml;&uuml;&szlig;&omega;&hellip;&#150;&#0;&#x110000;&#+5;&amp", "Äüßω…–&#0;&#x110000;&#+5;&amp"),
        ("a < b and 3<5", "a < b and 3<5"),
        // Angle brackets that are not an element are text.
        ("<joe@bank.example> <pay> </pay> <o:p>", "<joe@bank.example> <pay> </pay> <o:p>"),
        ("<p>a</p x=1>b", "a</p x=1>b"),
        // Scripts, styles and remote content have no effect, but are shown.
        ("<script>alert(1)</script>a<style>p{color:red}</style>b", "[hidden: alert(1)]ab"),
        ("<script>'</b>'</script><SCRIPT src=//x></SCRIPT>a", "[hidden: '</b>'][hidden: src=//x]a"),
        ("<style>p::before{content:'9.90'}</style>a", "[hidden: p::before{content:'9.90'}]a"),
        (
            "<link rel=stylesheet href=http://127.0.0.1:1/><img src=http://127.0.0.1:1/ alt='a  b'>",
            "[hidden: href=http://127.0.0.1:1/][hidden: src=http://127.0.0.1:1/][image: a b]"
        ),
        ("<iframe src=http://127.0.0.1:1/></iframe>x", "[iframe][hidden: src=http://127.0.0.1:1/]x"),
        ("<object data=x>fall back</object>", "[object][hidden: data=x]fall back"),
        ("<noscript>no script</noscript>", "no script"),
        ("<p onclick='x()'>a</p><svg><text>b</text></svg>", "[hidden: onclick='x()']a\n\n[hidden: <text>b</text>]"),
        ("<p style='display:none'>hidden</p><p hidden>too</p>", "hidden\n\n[hidden: hidden]too"),
        ("<style>.a{display:none}</style><span class=a>hidden</span>", "hidden"),
        ("<template>in a template</template>", "in a template"),
        // Comments, with the ends that browsers accept, and similar constructs.
        ("a<!-- no -->b", "a[hidden: <!-- no -->]b"), ("<!-->shown-->", "[hidden: <!-->]shown-->"),
        ("<!--->shown", "[hidden: <!--->]shown"), ("<!-- x --!>shown", "[hidden: <!-- x --!>]shown"),
        (
            "<?php 9 ?>a<![CDATA[9]]>b<!x y>",
            "[hidden: <?php 9 ?>]a[hidden: <!⟨U+005B⟩CDATA⟨U+005B⟩9⟨U+005D⟩⟨U+005D⟩>]b[hidden: <!x y>]"
        ),
        ("<!doctype html><p>a", "a"), ("<!doctype 9 EUR><p>a", "[hidden: <!doctype 9 EUR>]\n\na"),
        ("a<!-- x] Amount: 1 [hidden: -->", "a[hidden: <!-- x⟨U+005D⟩ Amount: 1 ⟨U+005B⟩hidden: -->]"),
        ("[hidden: fake] [HIDDEN: fake]", "⟨U+005B⟩hidden: fake] ⟨U+005B⟩HIDDEN: fake]"),
        ("a<!--\n1\n-->b", "a[hidden: <!-- 1 -->]b"),
        // Attributes that carry text, in their order.
        ("<p title='x' class=card data-y=\"z\">a", "[hidden: title='x' class=card data-y=\"z\"]a"),
        ("<p Amount: 9000 EUR>a", "[hidden: Amount: 9000 EUR]a"),
        ("<p class='a' class='9000'>x", "[hidden: class='9000']x"),
        ("<img title=t alt=a longdesc=l>", "[hidden: title=t][image: a][hidden: longdesc=l]"),
        ("<a title=x href=https://fern.example>y</a>", "[hidden: title=x]y [link: https://fern.example]"),
        ("<td width= 9000 EUR>x", "[hidden: width= 9000 EUR]x"),
        ("<img src=data:image/png;base64,iVBORw0KGgo= alt=Logo width=40>", "[image: Logo]"),
        ("<img src='https://fern.example/logo.png' alt=''>x", "[image]x"),
        // Images and fields.
        ("<img><img alt=\"\">y", "[image][image]y"),
        ("<input value='a&quot;b'> <input placeholder=name> <input>", "[field: a\"b] [field: name] [field]"),
        ("<input value=a placeholder=b>", "[field: a][hidden: placeholder=b]"),
        ("<input type=hidden value=7>", "[hidden field: 7]"),
        ("<input type=checkbox checked><input type=radio value=yes>", "[field: checked][field: yes, not checked]"),
        ("<select><option>a<option selected>b</select>", "[field: a / b (chosen)]"),
        ("<option label='9000 EUR'>x</option>", "[hidden: label='9000 EUR']x"),
        ("<textarea> hello </textarea><button>OK</button>", "[field: hello ][button: OK]"),
        // Prices that would run together without a separator.
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
        ("<a href='#top'>top</a><a>none</a>", "top [link: #top]none"),
        (
            "<a href='https://\u{430}pple.example'>apple.example</a>",
            "[hidden: href='https://\u{430}pple.example']apple.example"
        ),
        ("<a href='java&#10;script:x(1)'>go</a>", "[hidden: href='java&#10;script:x(1)']go"),
        // Preformatted text.
        ("<pre>a\n  b\n\n\n\nc</pre>d", "a\n  b\n\nc\n\nd"),
        ("<h1>One</h1><hr>two", "One\n\n---\ntwo"),
        // False character sets, and invisible characters.
        ("<meta charset=utf-8><p>ä€漢", "ä€漢"), ("<meta charset=iso-8859-1>ä", "[hidden: charset=iso-8859-1]ä"),
        ("\u{0}<p>a\u{0}b", "⟨U+0000⟩\n\na⟨U+0000⟩b"),
        ("a\u{1B}[31mb\u{C}c\u{FFFF}", "a⟨U+001B⟩[31mb c⟨U+FFFF⟩"),
        ("\u{FEFF}<p>a", "⟨U+FEFF⟩\n\na"),
        ("a&#x202e;b&#27;c", "a⟨U+202E⟩b⟨U+001B⟩c"),
        ("a\u{200B}b\u{85}", "a⟨U+200B⟩b⟨U+0085⟩"),
        // Broken pages.
        ("</html>Pay 900", "Pay 900"), ("<body>a</body></html>b<p>c", "a\nb\n\nc"), ("<body>a</body><body>b", "a\nb"),
        ("<b><i>x</b></i></p></div>y", "xy"), ("</td></tr></table></ul>x", "x"),
        ("<head>text<p>x</head>y", "text\n\nx\n\ny"),
        ("<frameset><frame></frameset>after", "[frame]after"),
    ]

    @Test("Pages as text", arguments: pages)
    func page(_ source: String, _ expected: String) {
        let text = read(source).text
        #expect(text.block == expected, "\(text.block.debugDescription)")
        expectSafe(text, source)
    }

    static let unfinished = [
        "<p><b x=\"> Pay 900", "x<script>Pay 900", "x<STYLE>Pay 900", "x<!-- Pay 900", "x<b Pay 900", "x<?php Pay 900",
        "x<!doctype Pay 900", "<img alt='> Pay 900 <p>", "<title>Pay 900", "<svg>Pay 900",
    ]

    @Test("What never ends is shown as its source", arguments: unfinished)
    func source(_ page: String) {
        let read = read(page)
        #expect(read.text.block.contains("[the page breaks off here; the rest of its source:]"))
        #expect(read.text.block.contains("Pay 900"))
        #expect(!read.isBlank)
    }

    @Test(
        "Deep and crowded pages are read whole",
        arguments: [
            String(repeating: "<div>", count: 10_000) + "Pay 900",
            String(repeating: "<table><tr><td>", count: 10_000) + "Pay 900",
            "<p " + (0..<10_000).map { "a\($0) " }.joined() + ">Pay 900",
            "Pay 900" + String(repeating: " <p>", count: 50_000),
        ])
    func deep(_ page: String) {
        #expect(read(page).text.block.contains("Pay 900"))
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
            ("<script>x</script>", true), ("<!-- 9000 EUR -->", true), ("<p title=x></p>", true),
            ("<table><tr><td></td><td></td></tr></table>", true), ("<img alt=Pay>", false), ("<input value=5>", false),
            ("<title>Pay</title>", false), (String(repeating: " <p>", count: 5000) + "x", false),
        ])
    func blank(_ page: String, _ expected: Bool) {
        #expect(read(page).isBlank == expected)
    }

    @Test(
        "The page's own title stands in its place, and is left out only where it begins the page and is the card's",
        arguments: [
            ("<title>Pay</title><p>To Fern", "Pay\n\nTo Fern"), ("<title> Title </title><p>To Fern", "To Fern"),
            ("<title>Pay</title><h1>Pay</h1>To Fern", "Pay\n\nPay\n\nTo Fern"),
            ("<title>a<p>b</title>c", "a<p>b\n\nc"),
            ("<p>To <title>9000 EUR</title> Fern", "To [title: 9000 EUR] Fern"),
            ("<p>To <title>Title</title> Fern", "To [title: Title] Fern"),
        ])
    func title(_ page: String, _ expected: String) {
        #expect(read(page).text.block == expected)
    }

    @Test("Long hidden text is cut, and says how long it is")
    func cut() {
        let short = read("<p>a<!--" + String(repeating: "x", count: 993) + "-->")
        #expect(!short.isCut && short.text.block.hasSuffix("xxx-->]"))
        let long = read("<p>a<!--" + String(repeating: "x", count: 5000) + "-->b")
        #expect(long.isCut)
        #expect(long.text.block.hasSuffix("x… (5007 characters, of which these are the first 700)]b"))
    }

    @Test(
        "Floods of one tag go through",
        arguments: [
            "<p>", "<b>x</b>", "<td>", "<li>x", "<a href=x>", "</b>", "<br>", "&amp;", "<!---->", "< ",
            "<table><tr><td>x</table>", "<select><option>", "<b><p>", "<sup>", "<p a=b c=d>", "&#x202e;",
            "<ul><li></ul>",
            "<a href=x>y</a>", "<!--", "<x", "\u{0}", "<pre>\n</pre>", "<title>x</title>", "<a \"x\" ", "א1 ", "א\n",
        ])
    func large(_ unit: String) {
        let page = "Pay 900 " + String(repeating: unit, count: 60_000 / unit.utf8.count)
        let text = read(page).text
        #expect(text.block.contains("Pay 900"))
        expectSafe(text, unit)
    }

    @Test("The longest page goes through")
    func longest() {
        let row = "<tr><td>To &amp; from</td><td><b>Fern</b> \u{202E}</td></tr>"
        let read = read("<table>" + String(repeating: row, count: 262_144 / row.utf8.count) + "</table>Pay 900")
        #expect(read.text.block.hasPrefix("To & from | Fern ⟨U+202E⟩\nTo & from | Fern ⟨U+202E⟩\n"))
        #expect(read.text.block.hasSuffix("\n\nPay 900"))
    }
}
