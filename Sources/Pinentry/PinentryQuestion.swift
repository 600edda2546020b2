public import Display

/// The texts that a pinentry shows. Words from outside are `DisplayText`; all others are fixed when this program is
/// built.
///
/// They are plain text without frames, since most pinentries use a proportional font, and GNOME's centres each line.
public struct PinentryQuestion: Sendable {
    /// The question in a few words. It is always our own text, because pinentries made with Qt read the whole
    /// description as HTML when its first line looks like HTML.
    public var headline: StaticString
    /// Shown below the headline, each on lines of its own. The most important comes first, since a long description is
    /// cut at its end.
    public var details: [DisplayText]
    /// Text of several lines below the details, with line breaks in place: a part of a card.
    public var body: DisplayText?
    /// Replaces all of that above a PIN in windows with room for only four short lines. When empty, the first lines are
    /// shown there.
    public var brief: [DisplayText]
    /// The label of the field for the PIN.
    public var prompt: StaticString
    /// What went wrong before, such as a wrong PIN and the tries that are left.
    public var error: DisplayText?
    /// The labels of the two buttons. `ok` is the default one: Enter presses it.
    public var ok: StaticString
    public var cancel: StaticString
    /// The label of a third button, for questions that `Pinentry.choose` asks.
    public var other: StaticString?

    public init(
        _ headline: StaticString, details: [DisplayText] = [], body: DisplayText? = nil, brief: [DisplayText] = [],
        prompt: StaticString = "PIN:", error: DisplayText? = nil, ok: StaticString = "OK",
        cancel: StaticString = "Cancel", other: StaticString? = nil
    ) {
        self.headline = headline
        self.details = details
        self.body = body
        self.brief = brief
        self.prompt = prompt
        self.error = error
        self.ok = ok
        self.cancel = cancel
        self.other = other
    }

    /// The longest line in columns as wide as a digit. GTK's window would break longer ones again.
    package static let width = 56
    /// The longest line of `brief`.
    package static let briefWidth = 40
    /// The most lines of `brief`.
    private static let briefLines = 4

    /// The lines of the description for this window.
    func lines(in window: PinentryWindow, asksPIN: Bool) -> [String] {
        if asksPIN, window == .small {
            let lines = brief.isEmpty ? [headline.description] + details.map(\.line) : brief.map(\.line)
            return Array(lines.flatMap { Self.wrapped($0, Self.briefWidth) }.prefix(Self.briefLines))
        }
        let head = window == .headlined ? [] : [headline.description]
        return head + detailLines + (body.map { $0.block.split(separator: "\n").map(String.init) } ?? [])
    }

    private var detailLines: [String] { details.flatMap { Self.wrapped($0.line, Self.width) } }

    /// How many bytes a body may have below this headline and these details without being cut, line feeds included.
    package static func room(below headline: StaticString, _ details: [DisplayText]) -> Int {
        let above = PinentryQuestion(headline, details: details).lines(in: .plain, asksPIN: false)
        return AssuanText.longestLine - AssuanText.length("SETDESC " + above.joined(separator: "\n") + "\n")
    }

    /// How many lines this headline and these details take.
    package static func lineCount(of headline: StaticString, _ details: [DisplayText]) -> Int {
        PinentryQuestion(headline, details: details).lines(in: .plain, asksPIN: false).count
    }

    /// Breaks a text into lines. Those after a break are indented, so that they do not look like lines of their own.
    private static func wrapped(_ text: String, _ width: Int) -> [String] {
        let lines = TextWrap.lines(text, width: width - 2, by: .proportional)
        return lines.prefix(1) + lines.dropFirst().map { "  " + $0 }
    }
}

extension PinentryQuestion {
    /// `Label: value`; a long value continues on further lines.
    public static func line(_ label: StaticString, _ value: DisplayText) -> DisplayText {
        text("\(label): \(value.line)")
    }

    /// `Label: value` in a single line: of a long value only the beginning, and its length.
    public static func short(_ label: StaticString, _ value: DisplayText, within width: Int = Self.longestShort)
        -> DisplayText
    {
        let head = "\(label): "
        guard !fits(head + value.line, width) else { return text(head + value.line) }
        let tail = " (\(value.line.count) characters)"
        let measure = TextMeasure.proportional
        return text(head + cut(value.line, to: width - measure.columns(head) - measure.columns(tail)) + tail)
    }

    /// The part of a text that fits into one line.
    public static func oneLine(_ value: DisplayText, within width: Int = Self.longestShort) -> DisplayText {
        fits(value.line, width) ? value : text(cut(value.line, to: width))
    }

    /// The columns of a line that no window breaks.
    public static let longestShort = width - 2
    /// The bytes of such a line, limited too because marks on letters have no width.
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

    /// Joins text that was made safe already with our own words, without escaping it again.
    package static func text(_ shown: String) -> DisplayText { DisplayText(shown: shown) ?? DisplayText(shown) }
}
