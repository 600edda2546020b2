import Basics
import Display
@testable import Pinentry
import Testing

/// Text of any length and kind in pages that no pinentry cuts or breaks again.
@Suite struct PinentryPageTests {
    private static let windows: [PinentryWindow] = [.plain, .headlined, .small]

    private static let texts = [
        "Pay 9.90 EUR", String(repeating: "Books and more books ", count: 90), String(repeating: "W", count: 500),
        String(repeating: "%", count: 700), String(repeating: "ש", count: 700), String(repeating: "支払い", count: 300),
        String(repeating: "a\u{301}\u{302}\u{303}\u{304}", count: 300), String(repeating: "﷽", count: 90),
        String(repeating: "x ", count: 600), "a" + String(repeating: " ", count: 60) + "Amount: 1.00",
    ]

    @Test(arguments: texts)
    func noWindowCutsOrBreaksALine(_ text: String) throws {
        let line = "> " + DisplayText(BankText(text)).line
        let pages = PinentryQuestion.pages(
            of: ["Title: x", line, line, "Fingerprint: 0123"], below: "Read this", [DisplayText("Page 999 of 999")],
            abovePIN: true)
        var content = ""
        for page in pages {
            let question = PinentryQuestion("Read this", details: [DisplayText("Page 9 of 9")], body: page)
            for window in Self.windows {
                for asksPIN in [false, true] where !asksPIN || window != .small {
                    let lines = question.lines(in: window, asksPIN: asksPIN)
                    #expect(!lines.contains("⟨…⟩"))
                    #expect(AssuanText.line("SETDESC", lines.joined(separator: "\n")).count <= 1000)
                    #expect(lines.count <= (window == .headlined ? 20 : 16))
                    #expect(lines.allSatisfy { TextMeasure.proportional.size($0) <= window.width(asksPIN: asksPIN) })
                    #expect(lines.allSatisfy { TextWidth.columns($0) <= 53 })
                    // Only our own lines and the first of each stranger's begin without the mark.
                    let others = lines.filter { !Self.ours.contains($0) && !$0.hasPrefix("↳ ") && !$0.hasPrefix("> ") }
                    #expect(others == [])
                }
            }
            content += page.block
        }
        func letters(_ text: String) -> String {
            String(
                String.UnicodeScalarView(
                    text.unicodeScalars.filter { !" \n↳\u{2068}\u{2069}".unicodeScalars.contains($0) }))
        }
        #expect(letters(content) == letters("Title: x" + line + line + "Fingerprint: 0123"))
    }

    /// Also where the run stands at the end of a page.
    @Test(arguments: [2, 60, 700, 998, 1100, 5000])
    func aRunOfBlanksIsWrittenOut(_ count: Int) throws {
        for before in [3, 300, 700, 990] {
            let line = DisplayText(
                BankText(String(repeating: "x", count: before) + String(repeating: " ", count: count) + "Amount: 1.00"))
            let pages = PinentryQuestion.pages(
                of: ["> " + line.block], below: "Read this", [DisplayText("Page 9 of 9")])
            let shown = pages.map(\.block).joined(separator: "\n").replacing("\n↳ ", with: "").filter { $0 != " " }
            #expect(shown == ">" + String(repeating: "x", count: before) + "[\(count)spaces]Amount:1.00")
        }
    }

    private static let ours: Set<String> = [
        "Read this", "Page 9 of 9", "Title: x", "Fingerprint: 0123", "Enter your Countersign PIN,", "not your bank's,",
        "not your log-in password", "not your bank's, not your log-in password",
    ]

    /// However long the question is, the words that say which PIN is meant stand last.
    @Test(arguments: texts)
    func theWordsAboveThePINAreNeverCut(_ text: String) {
        let details = (0..<20).map { _ in PinentryQuestion.oneLine(DisplayText(BankText(text))) }
        for (prompt, first) in [(.pin, "Enter"), (.newPIN, "Choose")] as [(PinentryQuestion.Prompt, String)] {
            let question = PinentryQuestion("Approve payment", details: details, prompt: prompt)
            for window in Self.windows {
                let lines = question.lines(in: window, asksPIN: true)
                #expect(AssuanText.line("SETDESC", lines.joined(separator: "\n")).count <= 1000)
                let shown = (window == .headlined ? lines : lines + [prompt.label]).joined(separator: " ")
                #expect(shown.contains("not your bank's, not your log-in password"))
                #expect(shown.contains("Countersign PIN"))
                #expect(window == .small || shown.contains("\(first) your Countersign PIN, not your bank's,"))
                #expect(window != .small || lines.count <= 4)
            }
        }
    }

    /// Where something else is typed, no PIN is named.
    @Test func otherWordsNameNoPIN() {
        let question = PinentryQuestion("Type the amount", prompt: .words("Amount:"))
        for window in Self.windows {
            #expect(question.lines(in: window, asksPIN: true) == (window == .headlined ? [] : ["Type the amount"]))
        }
    }
}
