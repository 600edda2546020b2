import Display
public import FoundationEssentials

extension Card {
    /// The card as text without a frame, for windows that draw it in a proportional font.
    ///
    /// Our own words come first, each behind its label. Every line with a stranger's words begins with `> `, if no
    /// label does, and so do all lines of the content, so that none of them can look like ours. None is wider than
    /// `width` in either measure.
    public func plainLines(at now: Date, width: Int) -> [String] {
        var lines =
            labelled("Host", host.line, width) + labelled("Bank", bank.isBlank ? "without a name" : bank.line, width)
        lines += labelled("Request", reference, width) + labelled("Title", title.line, width)
        if let code, !code.line.isEmpty { lines += labelled("Code", Self.short(code), width) }
        if !isPending { lines += labelled("Status", status.line, width) }
        if let left = timeLeft(at: now) { lines.append(left == "expired" ? "Expired" : "Expires \(left)") }
        if let age = age(at: now) { lines.append("S" + age.dropFirst()) }
        if needsTypedTitle {
            lines += TextWrap.lines(
                isCut
                    ? "Warning: hidden text is too long to show here; show --source has all of it"
                    : "Warning: the bank sent nothing to read but this title", width: width, by: .proportional)
        }
        if let crowdWarning {
            lines += TextWrap.lines("Warning: " + crowdWarning, width: width, by: .proportional)
        }
        let content = sections.map { section in
            switch section {
            case .text(let text): text
            // A line feed in a value cannot begin a label, because the lines after it are indented.
            case .fields(let fields):
                fields.map { field in
                    "\(field.label): "
                        + field.value.block.split(separator: "\n", omittingEmptySubsequences: false).joined(
                            separator: "\n  ")
                }.joined(separator: "\n")
            }
        }.joined(separator: "\n\n")
        return lines + Self.marked(content, width) + choice(width)
    }

    private func choice(_ width: Int) -> [String] {
        guard let options else { return [] }
        guard !options.isEmpty else { return ["Nothing can be chosen: it can only be denied"] }
        return ["To approve, choose one of:"] + options.flatMap { Self.marked($0, width) }
    }

    /// `Label: value`; if the value needs more lines, these are marked.
    private func labelled(_ label: String, _ value: String, _ width: Int) -> [String] {
        let lines = TextWrap.lines("\(label): \(value)", width: width - Self.mark.count, by: .proportional)
        return lines.prefix(1) + lines.dropFirst().map { Self.mark + $0 }
    }

    private static func marked(_ text: String, _ width: Int) -> [String] {
        guard !text.isEmpty else { return [] }
        return TextWrap.lines(text, width: width - mark.count, by: .proportional)
            .map { $0.isEmpty ? String(mark.dropLast()) : mark + $0 }
    }

    /// The mark in front of a stranger's words.
    public static let mark = "> "
}
