public import Display

/// What a pinentry shows. A stranger's words get in as `DisplayText` alone; the rest is fixed when this program is built.
///
/// It is plain text without frames: most pinentries draw it in a proportional font, and GNOME's centres each line.
public struct PinentryQuestion: Sendable {
    /// What is asked, in a few words; always our own: pinentries made with Qt take a description for HTML when its first line
    /// looks like it.
    public var headline: StaticString
    /// Below it, each on lines of its own. What is most needed stands first, since a long description is cut at its end.
    public var details: [DisplayText]
    /// Text of several lines below these, broken already: a part of a card.
    public var body: DisplayText?
    /// In place of all that above the PIN, where a window has room for four short lines; empty where the first lines do.
    public var brief: [DisplayText]
    /// Stands before the field for the PIN.
    public var prompt: StaticString
    /// What went wrong before, such as a wrong PIN and the tries that are left.
    public var error: DisplayText?
    public var ok: StaticString
    public var cancel: StaticString

    public init(
        _ headline: StaticString, details: [DisplayText] = [], body: DisplayText? = nil, brief: [DisplayText] = [],
        prompt: StaticString = "PIN:", error: DisplayText? = nil, ok: StaticString = "OK",
        cancel: StaticString = "Cancel"
    ) {
        self.headline = headline
        self.details = details
        self.body = body
        self.brief = brief
        self.prompt = prompt
        self.error = error
        self.ok = ok
        self.cancel = cancel
    }

    /// Columns of a line, as wide as digits. A window of GTK breaks wider ones again.
    package static let width = 56
    /// The same where there is little room.
    package static let briefWidth = 40
    /// Lines above the PIN there.
    private static let briefLines = 4

    /// Lines of the description, for this window.
    func lines(in window: PinentryWindow, asksPIN: Bool) -> [String] {
        if asksPIN, window == .small {
            let lines = brief.isEmpty ? [headline.description] + details.map(\.line) : brief.map(\.line)
            return Array(lines.flatMap { Self.wrapped($0, Self.briefWidth) }.prefix(Self.briefLines))
        }
        let head = window == .headlined ? [] : [headline.description]
        return head + detailLines + (body.map { $0.block.split(separator: "\n").map(String.init) } ?? [])
    }

    private var detailLines: [String] { details.flatMap { Self.wrapped($0.line, Self.width) } }

    /// Bytes that a body may take below the headline and these details without being cut, its line feeds included.
    package static func room(below headline: StaticString, _ details: [DisplayText]) -> Int {
        let above = PinentryQuestion(headline, details: details).lines(in: .plain, asksPIN: false)
        return AssuanText.longestLine - AssuanText.length("SETDESC " + above.joined(separator: "\n") + "\n")
    }

    /// How many lines stand above a body.
    package static func lineCount(of headline: StaticString, _ details: [DisplayText]) -> Int {
        PinentryQuestion(headline, details: details).lines(in: .plain, asksPIN: false).count
    }

    /// What follows a break is indented, so that it does not look like a line of its own.
    private static func wrapped(_ text: String, _ width: Int) -> [String] {
        let lines = TextWrap.lines(text, width: width - 2, by: .proportional)
        return lines.prefix(1) + lines.dropFirst().map { "  " + $0 }
    }
}

extension PinentryQuestion {
    /// `Label: value`, which goes on in further lines where it is long.
    public static func line(_ label: StaticString, _ value: DisplayText) -> DisplayText {
        text("\(label): \(value.line)")
    }

    /// `Label: value` in a single line: of a long value the beginning, and how long it is.
    public static func short(_ label: StaticString, _ value: DisplayText, within width: Int = Self.longestShort)
        -> DisplayText
    {
        let head = "\(label): "
        guard !fits(head + value.line, width) else { return text(head + value.line) }
        let tail = " (\(value.line.count) characters)"
        let measure = TextMeasure.proportional
        return text(head + cut(value.line, to: width - measure.columns(head) - measure.columns(tail)) + tail)
    }

    /// As much of a text as fits into one line.
    package static func oneLine(_ value: DisplayText, within width: Int = Self.longestShort) -> DisplayText {
        fits(value.line, width) ? value : text(cut(value.line, to: width))
    }

    /// Columns of a line that is not broken.
    public static let longestShort = width - 2
    /// Bytes of such a line; marks on letters have no width.
    private static let mostBytes = 130

    private static func fits(_ text: String, _ width: Int) -> Bool {
        AssuanText.length(text) <= mostBytes && TextMeasure.proportional.columns(text) <= width
    }

    package static func cut(_ text: String, to width: Int) -> String {
        var (kept, columns) = (TextWidth.cut(text, to: width, by: .proportional), width)
        while AssuanText.length(kept) > mostBytes, columns > 1 {
            columns -= 1
            kept = TextWidth.cut(text, to: columns, by: .proportional)
        }
        return kept
    }

    /// Text that was made safe already, with our own words.
    package static func text(_ shown: String) -> DisplayText { DisplayText(shown: shown) ?? DisplayText(shown) }
}
