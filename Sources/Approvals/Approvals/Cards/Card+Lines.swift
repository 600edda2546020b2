package import Display
package import FoundationEssentials

extension Card {
    /// The card in its frame: first title and content, then, below a rule with bank and host, our own words: warnings,
    /// code, time left, fingerprint, reference.
    ///
    /// Every line of the bank begins with `│ `; its continuation lines begin with `│ ↳ `. Lines of ours begin with a
    /// corner or with `├`, or stand below the rule. None is wider than `width` (clamped to 24…80). So no text of a bank
    /// can look like a line of ours.
    ///
    /// `isCodeWhole`: whether to show a long code to its end instead of its first characters.
    package func lines(
        at now: Date, width: Int = 80, style: Style = .plain, isCodeWhole: Bool = false
    ) -> [String] {
        let layout = layout(at: now, width: width, style: style, isCodeWhole: isCodeWhole)
        return layout.head + layout.body + [layout.rule] + layout.notes + layout.code + layout.foot
    }

    /// The parts of a drawn card, from top to bottom.
    package struct Layout: Sendable {
        /// The top of the frame.
        package var head: [String]
        /// Title, content and options: everything that the bank wrote.
        package var body: [String]
        /// The line between the bank's words and ours, with the bank and its host.
        package var rule: String
        /// The host if the rule has no room for it, and warnings.
        package var notes: [String]
        /// The bank's code; empty if there is none.
        package var code: [String]
        /// Status if it is not pending, time left, fingerprint and reference.
        package var foot: [String]
    }

    /// The card in parts, for a screen that is too small for all of it. Only `body` may be shown piece by piece.
    package func layout(
        at now: Date, width: Int = 80, style: Style = .plain, isCodeWhole: Bool = false
    ) -> Layout {
        let width = min(max(width, 24), 80)
        let inner = width - 2

        func wrapped(_ text: String, _ dress: (String) -> String = { $0 }) -> [String] {
            TextLines.of(text, width: inner).map { Self.framed($0, dress) }
        }

        var body = wrapped(title.line, style.bold)
        for section in sections {
            body.append("│")
            switch section {
            case .text(let text): body += wrapped(text)
            case .fields(let fields): body += Self.lines(of: fields, width: inner, style).map { Self.framed($0) }
            }
        }
        if let options {
            body.append(Self.ruled("├", optionsHeadline, width: width))
            body += options.flatMap { wrapped("  " + $0) }
        }
        let place = self.place(width: width)
        let notes = (place.overflow.map { wrapped($0) } ?? []) + warnings.flatMap { wrapped($0, style.bold) }
        // The reference is never cut, because people type it.
        let isLong = TextWidth.columns(reference) > width - 4
        return Layout(
            head: ["┌" + String(repeating: "─", count: width - 1)], body: body, rule: place.line, notes: notes,
            code: codeText(isWhole: isCodeWhole).map { wrapped($0, style.dim) } ?? [],
            foot: footer(at: now, width: inner, style).map { Self.framed($0) } + (isLong ? wrapped(reference) : []) + [
                isLong ? "└" + String(repeating: "─", count: width - 1) : Self.ruled("└", reference, width: width)
            ])
    }

    /// In place of a blank name.
    static let nameless = "a bank without a name"

    /// The words above the options.
    var optionsHeadline: String {
        options?.isEmpty == true ? "nothing can be chosen: it can only be denied" : "to approve, choose one of:"
    }

    /// The warnings before a decision, in our own words.
    var warnings: [String] {
        var warnings: [String] = []
        if needsTypedTitle {
            warnings.append(
                isCut
                    ? "warning: hidden text is too long to show here; show --source has all of it"
                    : "warning: the bank sent nothing to read but this title")
        }
        if let crowdWarning { warnings.append("warning: " + crowdWarning) }
        return warnings
    }

    private static func framed(_ line: String, _ dress: (String) -> String = { $0 }) -> String {
        line.isEmpty ? "│" : "│ " + dress(line)
    }

    /// `├ Fern Bank · sca.fernbank.example ───`. The host is never cut: if it does not fit beside the name, it becomes
    /// the first line below. Line-drawing characters in the name are escaped, so it cannot end the rule early.
    private func place(width: Int) -> (line: String, overflow: String?) {
        let bank = self.bank.isBlank ? Self.nameless : Self.withoutLineDrawing(self.bank.line)
        let host = self.host.line
        let room = width - 4 - TextWidth.columns(" · " + host)
        if room >= min(TextWidth.columns(bank), 12) {
            return (Self.ruled("├", TextWidth.cut(bank, to: room) + " · " + host, width: width), nil)
        }
        return (Self.ruled("├", bank, width: width), "host " + host)
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

    /// Labels in one column, values in the other. A line feed in a value begins no line.
    private static func lines(of fields: [Field], width: Int, _ style: Style) -> [String] {
        let widest = fields.map { TextWidth.columns($0.label) }.max() ?? 0
        let labels = min(widest, width / 2) + 1
        return fields.flatMap { field in
            let label = TextWidth.cut(field.label, to: labels - 1)
            let lines = TextLines.of(TextLines.one(field.value), behind: label, labels: labels, width: width)
            return [style.dim(label) + lines[0].dropFirst(label.count)] + lines.dropFirst()
        }
    }

    /// The most characters of a code that people can compare by eye, and how many of a longer code are shown.
    private static let (wholeCode, shortCode) = (24, 12)

    static func short(_ code: DisplayText) -> String {
        let count = code.line.count
        return count > wholeCode ? "\(code.line(within: shortCode + 1)) (\(count) characters)" : code.line
    }

    private func codeText(isWhole: Bool) -> String? {
        guard let code, !code.line.isEmpty else { return nil }
        return "code " + (isWhole ? code.line : Self.short(code))
    }

    private func footer(at now: Date, width: Int, _ style: Style) -> [String] {
        var lines: [String] = []
        if !isPending {
            lines += TextLines.of("status " + status.line, width: width)
        }
        let left = timeLeft(at: now)
        let time = left.map { $0 == "expired" ? $0 : "expires " + $0 } ?? age(at: now) ?? ""
        let fingerprint = "fingerprint " + fingerprint.short
        let gap = min(30, width - fingerprint.utf8.count) - time.utf8.count
        if gap > 0 {
            lines.append(time + String(repeating: " ", count: gap) + style.dim(fingerprint))
        } else {
            if !time.isEmpty { lines.append(time) }
            lines += TextLines.of(fingerprint, width: width).map(style.dim)
        }
        return lines
    }
}
