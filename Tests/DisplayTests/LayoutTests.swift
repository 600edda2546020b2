import Basics
@testable import Display
import FoundationEssentials
import Testing

@Suite struct LayoutTests {
    /// The most that any terminal takes: some put a mark or an isolate into a cell of its own.
    @Test(
        "Columns on a terminal",
        arguments: [
            ("abc", 3), ("äöü", 3), ("e\u{301}", 2), ("a\u{1ACF}", 2), ("\u{2068}א\u{2069}", 3), ("漢字", 4), ("ｆｕ", 4),
            ("한국", 4), ("😀", 2), ("❤", 2),
            ("กำ", 2),
            ("│ ┌─", 4), ("𠀀", 2), ("", 0), ("⟨U+0000⟩", 8),
        ])
    func columns(_ text: String, _ expected: Int) {
        #expect(TextWidth.columns(text) == expected)
    }

    @Test("Columns to align by", arguments: [("e\u{301}", 1), ("\u{2068}א\u{2069}", 1), ("漢か\u{3099}", 4), ("กำ", 2)])
    func usualColumns(_ text: String, _ expected: Int) {
        #expect(TextWidth.usualColumns(text) == expected)
    }

    @Test(
        "A line that was broken here begins with a mark, a run of blanks is written out",
        arguments: [
            ("one two three", 7, ["one two", "↳ three"]), ("one two three", 80, ["one two three"]), ("", 10, [""]),
            ("a\n\nb", 10, ["a", "", "b"]), ("abcdefghi", 5, ["abcde", "↳ fgh", "↳ i"]),
            ("ab cdefgh", 4, ["ab", "↳ cd", "↳ ef", "↳ gh"]), ("  indented text", 10, ["  indented", "↳ text"]),
            ("漢字漢字", 5, ["漢字", "↳ 漢", "↳ 字"]), ("a b", 10, ["a b"]), ("a    b", 20, ["a[4 spaces]b"]),
            ("ab  b c", 12, ["ab[2 spaces]", "↳ b c"]), ("abc  b c", 12, ["abc", "↳ [2 spaces]", "↳ b c"]),
            ("abe\u{301}cd", 4, ["abe\u{301}", "↳ cd"]), ("abce\u{301}", 4, ["abc", "↳ e\u{301}"]),
            ("   ", 10, [""]),
            ("                x", 8, ["    x"]), ("ab cd ", 5, ["ab cd"]), ("aaaa b", 4, ["aaaa", "↳ b"]),
            ("a b\nc d", 20, ["a b", "c d"]),
            ("\u{2068}אב גד\u{2069}", 6, ["\u{2068}אב\u{2069}", "↳ \u{2068}גד\u{2069}"]),
        ])
    func wrap(_ text: String, _ width: Int, _ expected: [String]) {
        #expect(TextLines.of(text, width: width) == expected)
    }

    @Test(
        "Of a message, only what is wider than the terminal is broken, and no command that fits on a line",
        arguments: [
            ("error: short", 20, ["error: short"]), ("a  b", 20, ["a  b"]),
            ("error: one two three four", 12, ["error: one", "↳ two three", "↳ four"]),
            ("\u{1B}[1ma b\u{1B}[0m", 8, ["\u{1B}[1ma b\u{1B}[0m"]),
            ("\u{1B}[1maaaa bbbb\u{1B}[0m", 8, ["aaaa", "↳ bbbb"]),
            ("hint: see it with: countersign pending", 24, ["hint: see it with:", "↳ countersign pending"]),
            (
                "see: countersign pending; or: countersign agent --stop", 30,
                ["see: countersign pending; or:", "↳ countersign agent --stop"]
            ),
            // One that is longer than a line is broken like the rest.
            ("hint: countersign login URL", 16, ["hint:", "↳ countersign", "↳ login URL"]),
            ("one two\u{A0}[y/N]", 13, ["one two [y/N]"]), ("one two\u{A0}[y/N]", 12, ["one", "↳ two [y/N]"]),
            ("aa bb\ncc", 8, ["aa bb", "cc"]),
            ("REF     a very long name of a bank", 20, ["REF     a very long", "↳ name of a bank"]),
        ])
    func message(_ text: String, _ width: Int, _ expected: [String]) {
        #expect(TextLines.fitting(text, width: width) == expected)
    }

    @Test("No message has a line that is wider than the terminal, and none loses a letter")
    func anyMessage() {
        var random = Seeded(27)
        let words = [
            "countersign ", "pending", " ", "  ", "; ", "--all", "漢字", "x", "error:", ",",
            String(repeating: "y", count: 30), "\n",
        ]
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 1...20, using: &random)).map { _ in words.randomElement(using: &random) ?? ""
            }.joined()
            let width = Int.random(in: 8...40, using: &random)
            let lines = TextLines.fitting(text, width: width)
            #expect(lines.allSatisfy { TextWidth.columns($0) <= width }, "\(text)")
            #expect(lines.joined().filter { !"↳ ".contains($0) } == text.filter { !" \n".contains($0) }, "\(text)")
        }
    }

    @Test(
        "A value stays in its column and in one line",
        arguments: [
            ("Fern Books", ["To     Fern Books"]),
            ("Fern Books and more books", ["To     Fern Books and", "↳      more books"]),
            ("a\nAmount 1.00", ["To     a ⏎ Amount", "↳      1.00"]), ("", ["To"]),
            ("a" + String(repeating: " ", count: 34) + "Amount", ["To     a[34", "↳      spaces]Amount"]),
        ])
    func value(_ value: String, _ expected: [String]) {
        let one = TextLines.one(DisplayText(BankText(value)))
        #expect(TextLines.of(one, behind: "To", labels: 7, width: 21) == expected)
    }

    @Test(
        "No text from outside makes these marks",
        arguments: [
            ("↳ Amount: 1.00", "⟨U+21B3⟩ Amount: 1.00"), ("a [34 spaces] b", "a ⟨U+005B⟩34 spaces] b"),
            ("[2\u{A0}Spaces]", "⟨U+005B⟩2 Spaces]"), ("[2] spaces [a spaces]", "[2] spaces [a spaces]"),
        ])
    func marks(_ source: String, _ expected: String) {
        #expect(DisplayText(BankText(source)).block == expected)
    }

    /// Measured in DejaVu Sans, Cantarell, Nimbus Sans and Noto Sans, in hundredths of an em.
    @Test(
        "No glyph is wider than it is counted",
        arguments: [
            ("W", 99), ("m", 98), ("@", 101), ("%", 99), ("0", 64), ("ö", 63), ("Æ", 100), ("œ", 103), ("Ŵ", 99),
            ("Ǆ", 142),
            ("ʤ", 106), ("Ж", 108), ("щ", 94), ("Ԫ", 140), ("ש", 73), ("ۓ", 141), ("ॴ", 102), ("ဪ", 245), ("௵", 222),
            ("‰", 138), ("‱", 174), ("№", 121), ("Ⅷ", 162), ("⏠", 171), ("…", 104), ("⸻", 284), ("﷽", 722), ("𒐫", 464),
            ("漢", 100), ("😂", 125), ("꧃", 201),
            // What no font has is a box with its number.
            ("a\u{1ACF}", 61 + 116), ("न\u{94D}\u{94D}", 3 * 116), ("a\u{615}\u{363}", 61 + 2 * 116),
            ("\u{1F9FF}", 157),
        ])
    func ems(_ text: String, _ least: Int) {
        #expect(text.unicodeScalars.reduce(0) { $0 + TextMeasure.proportional.width($1) } >= least)
    }

    static let left: [(Double, String)] = [
        (271, "in 4:31"), (62, "in 1:02"), (0.2, "in 0:01"), (0, "expired"), (-5, "expired"), (3599, "in 59:59"),
        (3600, "in 1 h"), (7300, "in 2 h"), (172_440, "in 47 h"), (259_205, "in 3 d"), (.infinity, "in 370370 d"),
        (.nan, "expired"), (-.infinity, "expired"),
    ]

    @Test("Time left", arguments: left)
    func until(_ seconds: Double, _ expected: String) {
        let now = Date(timeIntervalSince1970: 0)
        #expect(RelativeTime.until(now.addingTimeInterval(seconds), from: now) == expected)
    }

    @Test("A table is aligned by columns")
    func table() {
        var table = TextTable(header: ["REF", "BANK", "EXPIRES"])
        table.add([DisplayText("fernbank:77"), DisplayText("漢字 Bank"), DisplayText("in 4:31")])
        table.add([DisplayText("a:1"), DisplayText("Fern"), DisplayText("")])
        table.add([DisplayText("b:2")])
        #expect(
            table.lines(width: nil) == [
                "REF          BANK       EXPIRES",
                "fernbank:77  漢字 Bank  in 4:31",
                "a:1          Fern",
                "b:2",
            ])
        #expect(
            table.lines(width: 80, style: .ansi)[0]
                == "\u{1B}[1mREF\u{1B}[0m          \u{1B}[1mBANK\u{1B}[0m       \u{1B}[1mEXPIRES\u{1B}[0m")
    }

    @Test("A table is aligned where marks stand on their letters, and fits where they do not")
    func marksInTables() {
        var table = TextTable(header: ["REF", "BANK", "TITLE"])
        table.add([DisplayText("a:1"), DisplayText("ยิ้ม"), DisplayText("Pay 1.00")])
        table.add([DisplayText("a:2"), DisplayText("Fern Bank"), DisplayText("Pay 2.00")])
        table.add([DisplayText("a:3"), DisplayText("ยิ้ม"), DisplayText("Pay " + String(repeating: "x", count: 50))])
        let lines = table.lines(width: 40)
        #expect(lines[1] == "a:1  ยิ้ม         Pay 1.00" && lines[2] == "a:2  Fern Bank  Pay 2.00")
        #expect(lines.allSatisfy { TextWidth.columns($0) <= 40 })
    }

    @Test("A table gives way to the terminal, the first column last", arguments: [40, 60, 80])
    func narrowTable(_ width: Int) {
        var table = TextTable(header: ["REF", "BANK", "TITLE"])
        let long = String(repeating: "wide 漢 e\u{1ACF} א ", count: 5_000)
        table.add([
            DisplayText("fernbank:77"), DisplayText(BankText("Fern\u{1B}[2J\nBank")), DisplayText(BankText(long)),
        ])
        table.add([DisplayText("fernbank:78"), DisplayText(BankText(long)), DisplayText(BankText(long))])
        let lines = table.lines(width: width)
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { TextWidth.columns($0) <= width })
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("fernbank:7") && $0.hasSuffix("…") })
        #expect(!lines.joined().unicodeScalars.contains(where: isForbidden))
    }

    @Test("Style is added only where asked")
    func style() {
        #expect(Style.plain.bold("x") == "x")
        #expect(Style.ansi.dim("x") == "\u{1B}[2mx\u{1B}[0m")
        #expect(Style.ansi.bold("") == "")
    }
}
