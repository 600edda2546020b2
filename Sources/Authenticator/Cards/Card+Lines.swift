public import Display
public import FoundationEssentials

extension Card {
    /// The card in its frame: first bank and host, then title and content, then, below a rule, our own words: code,
    /// time left, fingerprint. Every line except the first and last begins with `│ ` or is the rule `├───`, and none is
    /// wider than `width` (clamped to 24…80), so no text of a bank can look like the end of the frame.
    ///
    /// `isCodeWhole`: whether to show a long code to its end instead of its first characters.
    public func lines(
        at now: Date, width: Int = 80, style: Style = .plain, isCodeWhole: Bool = false
    ) -> [String] {
        let layout = layout(at: now, width: width, style: style, isCodeWhole: isCodeWhole)
        return layout.head + layout.body + [layout.rule] + layout.code + layout.foot
    }

    /// The parts of a drawn card, from top to bottom.
    public struct Layout: Sendable {
        /// The bank and its host.
        public var head: [String]
        /// Title and content: everything that the bank wrote.
        public var body: [String]
        /// The line between the bank's words and ours.
        public var rule: String
        /// The bank's code; empty if there is none.
        public var code: [String]
        /// Status if it is not pending, time left, fingerprint and reference.
        public var foot: [String]
    }

    /// The card in parts, for a screen that is too small for all of it. Only `body` may be shown piece by piece.
    public func layout(
        at now: Date, width: Int = 80, style: Style = .plain, isCodeWhole: Bool = false
    ) -> Layout {
        let width = min(max(width, 24), 80)
        let inner = width - 2
        var body: [String] = []

        func wrapped(_ text: String, _ dress: (String) -> String = { $0 }) -> [String] {
            TextWrap.lines(text, width: inner).map { dress($0) }
        }

        let header = self.header(width: width)
        body += wrapped(title.line, style.bold)
        for section in sections {
            body.append("")
            switch section {
            case .text(let text): body += wrapped(text)
            case .fields(let fields): body += Self.lines(of: fields, width: inner, style)
            }
        }
        if let options {
            body.append("")
            let words = options.isEmpty ? "nothing can be chosen: it can only be denied" : "to approve, choose one of:"
            body += wrapped(words, style.dim) + options.flatMap { TextWrap.lines("  " + $0, width: inner) }
        }
        if needsTypedTitle {
            body.append("")
            body += wrapped(
                isCut
                    ? "warning: hidden text is too long to show here; show --source has all of it"
                    : "warning: the bank sent nothing to read but this title", style.warning)
        }
        if let crowdWarning {
            body.append("")
            body += wrapped("warning: " + crowdWarning, style.warning)
        }
        let ours = footer(at: now, width: inner, style)
        // The reference is never cut, because people type it.
        let isLong = TextWidth.columns(reference) > width - 4
        return Layout(
            head: [header.line] + (header.overflow.map { wrapped($0) } ?? []).map(Self.framed),
            body: body.map(Self.framed), rule: "├" + String(repeating: "─", count: width - 1),
            code: codeLines(width: inner, style, isWhole: isCodeWhole).map(Self.framed),
            foot: (ours + (isLong ? wrapped(reference) : [])).map(Self.framed)
                + [isLong ? "└" + String(repeating: "─", count: width - 1) : Self.ruled("└", reference, width: width)])
    }

    private static func framed(_ line: String) -> String { line.isEmpty ? "│" : "│ " + line }

    /// `┌ Fern Bank · sca.fernbank.example ───`. The host is never cut: if it does not fit beside the name, it becomes
    /// the first line inside the frame. Line-drawing characters in the name are escaped, so it cannot end the header
    /// early.
    private func header(width: Int) -> (line: String, overflow: String?) {
        let bank = self.bank.isBlank ? "a bank without a name" : Self.withoutLineDrawing(self.bank.line)
        let host = self.host.line
        let room = width - 4 - TextWidth.columns(" · " + host)
        if room >= min(TextWidth.columns(bank), 12) {
            return (Self.ruled("┌", TextWidth.cut(bank, to: room) + " · " + host, width: width), nil)
        }
        return (Self.ruled("┌", bank, width: width), host)
    }

    private static func ruled(_ corner: String, _ text: String, width: Int) -> String {
        let line = corner + " " + TextWidth.cut(text, to: width - 4) + " "
        return line + String(repeating: "─", count: max(0, width - TextWidth.columns(line)))
    }

    private static func withoutLineDrawing(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let isDrawing = (0x2500...0x259F).contains(scalar.value)
            result += isDrawing ? "⟨U+\(String(scalar.value, radix: 16, uppercase: true))⟩" : String(Character(scalar))
        }
        return result
    }

    /// Labels in one column, values wrapped in the other, so that a line feed in a value cannot begin a label.
    private static func lines(of fields: [Field], width: Int, _ style: Style) -> [String] {
        let widest = fields.map { TextWidth.columns($0.label) }.max() ?? 0
        let labels = min(widest, width / 2) + 1
        return fields.flatMap { field in
            let label = TextWidth.cut(field.label, to: labels - 1)
            return TextWrap.lines(field.value.block, width: width - labels).enumerated().map { index, line in
                index == 0
                    ? style.dim(label) + String(repeating: " ", count: labels - TextWidth.columns(label)) + line
                    : line.isEmpty ? "" : String(repeating: " ", count: labels) + line
            }
        }
    }

    /// The most characters of a code that people can compare by eye, and how many of a longer code are shown.
    private static let (wholeCode, shortCode) = (24, 12)

    static func short(_ code: DisplayText) -> String {
        let count = code.line.count
        return count > wholeCode ? "\(code.line(within: shortCode + 1)) (\(count) characters)" : code.line
    }

    private func codeLines(width: Int, _ style: Style, isWhole: Bool) -> [String] {
        guard let code, !code.line.isEmpty else { return [] }
        return TextWrap.lines("code " + (isWhole ? code.line : Self.short(code)), width: width).map(style.dim)
    }

    private func footer(at now: Date, width: Int, _ style: Style) -> [String] {
        var lines: [String] = []
        if !isPending {
            lines += TextWrap.lines("status " + status.line, width: width)
        }
        let left = timeLeft(at: now)
        let time = left.map { $0 == "expired" ? $0 : "expires " + $0 } ?? age(at: now) ?? ""
        let fingerprint = "fingerprint " + fingerprint.short
        let gap = min(30, width - fingerprint.utf8.count) - time.utf8.count
        if gap > 0 {
            lines.append(time + String(repeating: " ", count: gap) + style.dim(fingerprint))
        } else {
            if !time.isEmpty { lines.append(time) }
            lines += TextWrap.lines(fingerprint, width: width).map(style.dim)
        }
        return lines
    }
}
