import Basics
@testable import Display
import FoundationEssentials
import Testing

@Suite struct LayoutTests {
    @Test(
        "Columns on a terminal",
        arguments: [
            ("abc", 3), ("äöü", 3), ("e\u{301}", 1), ("漢字", 4), ("ｆｕ", 4), ("한국", 4), ("😀", 2), ("❤\u{FE0F}", 2),
            ("กำ", 2),
            ("│ ┌─", 4), ("𠀀", 2), ("", 0), ("⟨U+0000⟩", 8),
        ])
    func columns(_ text: String, _ expected: Int) {
        #expect(TextWidth.columns(text) == expected)
    }

    @Test(
        "Wrapping",
        arguments: [
            ("one two three", 7, ["one two", "three"]), ("one two three", 80, ["one two three"]), ("", 10, [""]),
            ("a\n\nb", 10, ["a", "", "b"]), ("abcdefgh", 3, ["abc", "def", "gh"]),
            ("ab cdefgh", 4, ["ab", "cdef", "gh"]),
            ("  indented text", 10, ["  indented", "text"]), ("漢字漢字", 5, ["漢字", "漢字"]), ("a    b", 10, ["a    b"]),
            ("a    b", 4, ["a", "b"]), ("abe\u{301}cd", 3, ["abe\u{301}", "cd"]), ("   ", 10, [""]),
            ("                x", 8, ["    x"]), ("ab cd ", 5, ["ab cd"]), ("aaaa b", 4, ["aaaa", "b"]),
        ])
    func wrap(_ text: String, _ width: Int, _ expected: [String]) {
        #expect(TextWrap.lines(text, width: width) == expected)
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

    @Test("A table gives way to the terminal, the first column last", arguments: [40, 60, 80])
    func narrowTable(_ width: Int) {
        var table = TextTable(header: ["REF", "BANK", "TITLE"])
        let long = String(repeating: "wide 漢 ", count: 5_000)
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
