package import Display
package import FoundationEssentials

extension Card {
    /// The card as text without a frame, for windows that draw it in a proportional font and break its lines
    /// themselves: the text of each line, not broken yet.
    ///
    /// The bank's text comes first: title, content, options. Then bank and host, then our own words, then reference,
    /// code and fingerprint, with `asker` before them. A line of ours begins with a label; each line of the content
    /// begins with `> `, so that none of them can look like ours.
    package func plainLines(at now: Date, askedBy asker: DisplayText) -> [String] {
        var lines = ["Title: " + title.line]
        for section in sections {
            switch section {
            case .text(let text): lines += Self.marked(text)
            case .fields(let fields): lines += fields.map { "\(Self.mark)\($0.label): \(TextLines.one($0.value))" }
            }
        }
        if let options {
            lines.append(Self.capitalized(optionsHeadline))
            lines += options.map { Self.mark + $0 }
        }
        lines += warnings.map(Self.capitalized)
        lines += ["Bank: " + (bank.isBlank ? "without a name" : bank.line), "Host: " + host.line]
        if !isPending { lines.append("Status: " + status.line) }
        if let left = timeLeft(at: now) { lines.append(left == "expired" ? "Expired" : "Expires \(left)") }
        if let age = age(at: now) { lines.append(Self.capitalized(age)) }
        lines += [asker.line, "Request: " + reference]
        if let code, !code.line.isEmpty { lines.append("Code: " + Self.short(code)) }
        return lines + ["Fingerprint: " + fingerprint.short]
    }

    private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    private static func marked(_ text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.isEmpty ? String(mark.dropLast()) : mark + TextLines.unbroken($0)
        }
    }

    /// The mark in front of a stranger's words.
    package static let mark = "> "
}
