import Basics
@testable import Display
import Testing

@Suite struct DisplayTextTests {
    @Test(
        "Hostile characters become visible, in one line",
        arguments: [
            ("Pay 9.90 EUR", "Pay 9.90 EUR"),
            ("Überweisung an Größe, 50 €", "Überweisung an Größe, 50 €"),
            ("\u{1B}[31mred\u{1B}[0m", "⟨U+001B⟩[31mred⟨U+001B⟩[0m"),
            ("\u{1B}]0;title\u{7}", "⟨U+001B⟩]0;title⟨U+0007⟩"),
            ("\u{9B}2J", "⟨U+009B⟩2J"),
            ("a\u{7F}b\u{0}c", "a⟨U+007F⟩b⟨U+0000⟩c"),
            ("abc\rxyz", "abc⟨U+000D⟩xyz"),
            ("abc\r\nxyz", "abc ⏎ xyz"),
            ("\n\na\n\n\nb\n", "a ⏎ b"),
            ("a\u{23CE}b", "a⟨U+23CE⟩b"),
            ("a\u{B}b\u{C}c\u{85}d\u{2028}e\u{2029}f", "a⟨U+000B⟩b⟨U+000C⟩c⟨U+0085⟩d⟨U+2028⟩e⟨U+2029⟩f"),
            ("1\u{202E}00.9", "1⟨U+202E⟩00.9"),
            ("\u{2066}x\u{2069}\u{200E}\u{200F}\u{61C}", "⟨U+2066⟩x⟨U+2069⟩⟨U+200E⟩⟨U+200F⟩⟨U+061C⟩"),
            ("pay\u{200B}pal\u{200D}\u{2060}\u{FEFF}", "pay⟨U+200B⟩pal⟨U+200D⟩⟨U+2060⟩⟨U+FEFF⟩"),
            ("co\u{AD}op", "co⟨U+00AD⟩op"),
            ("\u{E0041}\u{E0042}", "⟨U+E0041⟩⟨U+E0042⟩"),
            ("a\u{FE00}b\u{E0100}", "a⟨U+FE00⟩b⟨U+E0100⟩"),
            ("a\u{FE0F}", "a⟨U+FE0F⟩"),
            ("❤\u{FE0F}\u{FE0F}", "❤⟨U+FE0F×2⟩"),
            ("1\u{FE0F}\u{20E3} 1\u{FE0F}", "1⟨U+FE0F⟩⟨U+20E3⟩ 1⟨U+FE0F⟩"), ("1\u{20E3}", "1⟨U+20E3⟩"),
            ("👩\u{200D}👧", "👩⟨U+200D⟩👧"),
            ("\u{E000}\u{10FFFF}\u{378}", "⟨U+E000⟩⟨U+10FFFF⟩⟨U+0378⟩"),
            ("\u{3164}\u{115F}\u{FFA0}\u{2800}\u{34F}", "⟨U+3164⟩⟨U+115F⟩⟨U+FFA0⟩⟨U+2800⟩⟨U+034F⟩"),
            ("\u{200B}\u{200B}\u{200B}x", "⟨U+200B×3⟩x"),
            ("⟨U+202E⟩", "⟨U+27E8⟩U+202E⟩"),
            ("1\u{A0}000\u{202F}€\u{3000}x\ty", "1 000 € x y"),
            ("  a   b  ", "a b"),
            ("e\u{301}", "e\u{301}"),
            ("a" + String(repeating: "\u{301}", count: 5), "a\u{301}\u{301}\u{301}\u{301}⟨+1 mark⟩"),
            ("a" + String(repeating: "\u{301}\u{302}", count: 500) + "b", "a\u{301}\u{302}\u{301}\u{302}⟨+996 marks⟩b"),
            ("\u{301}a", "⟨U+0301⟩a"),
            ("1\u{338}0", "1⟨U+0338⟩0"),
            (" \u{338}", "⟨U+0338⟩"),
            ("\u{200B}\u{338}", "⟨U+200B⟩⟨U+0338⟩"),
            ("กำลัง שלום नमस्ते 漢字", "กำลัง \u{2068}שלום\u{2069} नमस्ते 漢字"),
            // Letters from right to left are in isolates, and digits are not, so no digit moves.
            ("שלום עולם 9.90 EUR", "\u{2068}שלום עולם\u{2069} 9.90 EUR"),
            ("9 אב 10 גד 11", "9 \u{2068}אב\u{2069} 10 \u{2068}גד\u{2069} 11"),
            ("בע\"מ, אב", "\u{2068}בע\"מ\u{2069}, \u{2068}אב\u{2069}"),
            ("١٢ ٣٤", "\u{2068}١٢\u{2069} \u{2068}٣٤\u{2069}"),
            ("אב\nגד\u{202E}ה", "\u{2068}אב\u{2069} ⏎ \u{2068}גד\u{2069}⟨U+202E⟩\u{2068}ה\u{2069}"),
            ("\u{2068}x", "⟨U+2068⟩x"),
            ("[hidden: x] [Hidden] [hid]", "⟨U+005B⟩hidden: x] ⟨U+005B⟩Hidden] [hid]"),
            ("", ""),
        ])
    func line(_ source: String, _ expected: String) {
        let text = DisplayText(BankText(source))
        #expect(text.line.unicodeScalars.elementsEqual(expected.unicodeScalars), "\(text.line.debugDescription)")
        #expect(text.description == text.line)
        expectSafe(text, source)
    }

    @Test(
        "A block keeps its lines",
        arguments: [
            ("a\nb", "a\nb"), ("a\r\n\r\n\r\n\r\nb", "a\n\nb"), ("a  \n  b", "a\n  b"), ("\n a\n", "a"),
            ("x\ty", "x y"), ("a\n\u{1B}\n\u{338}", "a\n⟨U+001B⟩\n⟨U+0338⟩"), ("a  b", "a  b"),
        ])
    func block(_ source: String, _ expected: String) {
        #expect(DisplayText(BankText(source)).block == expected)
    }

    @Test(
        "Blank is what shows nothing",
        arguments: [
            ("", true), (" \n\t\u{A0}", true), ("\u{200B}\u{202E}", true), ("\u{1B}", true), ("\u{301}", true),
            (".", false), ("\u{200B}x", false), ("漢", false), ("⟩", false),
        ])
    func blank(_ source: String, _ expected: Bool) {
        #expect(DisplayText(BankText(source)).isBlank == expected)
    }

    @Test("An escape cannot be faked: what begins with the bracket is ours")
    func unambiguous() {
        let fakes = ["⟨U+202E⟩", "⟨+3 marks⟩", "⟨", "⟨⟨U+0000⟩", "\u{2329}U+202E⟩"]
        let real = ["\u{202E}", "⟨", "\u{0}"]
        let lines = (fakes + real).map { DisplayText(BankText($0)).line }
        #expect(Set(lines).count == Set(fakes + real).count)
        for line in lines {
            for part in line.split(separator: "⟨", omittingEmptySubsequences: false).dropFirst() {
                let name = part.prefix { $0 != "⟩" && $0 != "×" }
                #expect(name.hasPrefix("U+") && UInt32(name.dropFirst(2), radix: 16) != nil, "\(line)")
            }
        }
    }

    @Test("Each single scalar comes out safe, alone and between others")
    func everyScalar() {
        var failures: [UInt32] = []
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value),
                value < 0x3100 || value > 0xA000 && value < 0xAC00 || value > 0xD700 && value < 0x2_0000
                    || value % 37 == 0 || value > 0xE_0000 && value < 0xE_0200
            else { continue }
            let text = DisplayText(BankText("a" + String(Character(scalar)) + "b"))
            if text.line.unicodeScalars.contains(where: isForbidden) { failures.append(value) }
        }
        #expect(failures.isEmpty, "\(failures.prefix(20).map { String($0, radix: 16) })")
    }

    @Test(
        "Floods of one kind go through",
        arguments: [
            "a", "\u{0}", "\u{0}\u{1}", "\u{301}", "a\u{301}", "\n", " ", "\n x", "⟨", "漢", "\u{200B}", "👩\u{200D}",
            "ab ",
        ])
    func large(_ unit: String) {
        let source = String(repeating: unit, count: 100_000 / unit.utf8.count)
        let text = DisplayText(BankText(source))
        let isSafe = !text.block.unicodeScalars.contains { $0 != "\n" && isForbidden($0) }
        #expect(isSafe)
        #expect(TextLines.of(text.block, width: 78).allSatisfy { TextWidth.columns($0) <= 78 })
    }

    @Test(
        "A line is cut visibly, by columns",
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("漢字漢字", 8, "漢字漢字"), ("漢字漢字", 7, "漢字漢…"),
            ("漢字漢字", 6, "漢字…"), ("abcdef", 1, "…"), ("abcdef", 0, ""), ("e\u{301}e\u{301}e", 3, "e\u{301}…"),
            ("ae\u{301}", 2, "a…"),
            ("", 0, ""),
        ])
    func within(_ source: String, _ columns: Int, _ expected: String) {
        let cut = DisplayText(BankText(source)).line(within: columns)
        #expect(cut == expected)
        #expect(TextWidth.columns(cut) <= columns)
    }

    @Test("A megabyte goes through")
    func megabyte() {
        let unit = "Pay 9.90 € \u{202E}to\u{0}\u{1} Fern\n"
        let text = DisplayText(BankText(String(repeating: unit, count: 1_048_576 / unit.utf8.count)))
        let line = "Pay 9.90 € ⟨U+202E⟩to⟨U+0000⟩⟨U+0001⟩ Fern"
        #expect(text.block.hasPrefix(line + "\n" + line + "\n") && text.block.hasSuffix("\n" + line))
    }
}
