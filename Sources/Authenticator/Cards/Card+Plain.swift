import Display
public import FoundationEssentials

extension Card {
    /// The card as text without a frame, for windows that draw it in a proportional font.
    ///
    /// What is ours comes first, each behind its label. Every line that goes on with a stranger's words begins with `> `, all lines
    /// of the content among them, so that none of them can look like one of ours. None is wider than `width` in either measure.
    public func plainLines(at now: Date, width: Int) -> [String] {
        var lines =
            labelled("Host", host.line, width) + labelled("Bank", bank.isBlank ? "without a name" : bank.line, width)
        lines += labelled("Request", reference, width) + labelled("Title", title.line, width)
        if let code, !code.line.isEmpty { lines += labelled("Code", Self.short(code), width) }
        if !isPending { lines += labelled("Status", status.line, width) }
        if let left = timeLeft(at: now) { lines.append(left == "expired" ? "Expired" : "Expires \(left)") }
        if needsTypedTitle {
            lines += TextWrap.lines(
                isCut
                    ? "Warning: hidden text is too long to show here; show --source has all of it"
                    : "Warning: the bank sent nothing to read but this title", width: width, by: .proportional)
        }
        let content = sections.map { section in
            switch section {
            case .text(let text): text
            // A line feed in a value cannot begin a label: what follows it is indented.
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

    /// `Label: value`; where the value needs more lines they are marked.
    private func labelled(_ label: String, _ value: String, _ width: Int) -> [String] {
        let lines = TextWrap.lines("\(label): \(value)", width: width - Self.mark.count, by: .proportional)
        return lines.prefix(1) + lines.dropFirst().map { Self.mark + $0 }
    }

    private static func marked(_ text: String, _ width: Int) -> [String] {
        guard !text.isEmpty else { return [] }
        return TextWrap.lines(text, width: width - mark.count, by: .proportional)
            .map { $0.isEmpty ? String(mark.dropLast()) : mark + $0 }
    }

    /// Stands before what a stranger wrote.
    public static let mark = "> "
}
