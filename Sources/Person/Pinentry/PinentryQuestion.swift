package import Display

/// The texts that a pinentry shows. Words from outside are `DisplayText`; all others are fixed when this program is
/// built.
///
/// They are plain text without frames, since most pinentries use a proportional font, and GNOME's centres each line and
/// breaks long ones. So each line is broken here to a width that certainly fits the window (`TextLines`).
package struct PinentryQuestion: Sendable {
    /// The text that the person types below the question.
    package enum Prompt: Sendable {
        case pin, newPIN
        /// Anything else, with the label of its field.
        case words(StaticString)
    }

    /// The question in a few words. It is always our own text, because pinentries made with Qt read the whole
    /// description as HTML when its first line looks like HTML.
    package var headline: StaticString
    /// Shown below the headline, each on lines of its own. The most important comes first, since a long description is
    /// cut at its end.
    package var details: [DisplayText]
    /// Text of several lines below the details: a part of a card.
    package var body: DisplayText?
    /// Replaces all of that above a PIN in windows with room for only three short lines. When empty, the first lines
    /// are shown there.
    package var brief: [DisplayText]
    package var prompt: Prompt
    /// The error of the last try, such as a wrong PIN and the tries that are left.
    package var error: DisplayText?
    /// The labels of the two buttons. In many windows Enter presses the first one, `ok`.
    package var ok: StaticString
    package var cancel: StaticString
    /// The label of a third button, for questions that `Pinentry.choose` asks.
    package var other: StaticString?

    package init(
        _ headline: StaticString, details: [DisplayText] = [], body: DisplayText? = nil, brief: [DisplayText] = [],
        prompt: Prompt = .pin, error: DisplayText? = nil, ok: StaticString = "OK", cancel: StaticString = "Cancel",
        other: StaticString? = nil
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

    /// The lines of the description for this window. Above the field for a PIN the last ones say which PIN is meant.
    func lines(in window: PinentryWindow, asksPIN: Bool) -> [String] {
        let last = asksPIN ? prompt.words(in: window) : []
        let width = window.width(asksPIN: asksPIN)
        func broken(_ text: String) -> [String] { TextLines.of(text, width: width, by: .proportional) }
        if asksPIN, window == .small {
            let texts = brief.isEmpty ? [headline.description] + details.map(\.line) : brief.map(\.line)
            return texts.flatMap(broken).prefix(PinentryWindow.smallLines - last.count) + last
        }
        var lines = window == .headlined ? [] : [headline.description]
        lines += details.flatMap { broken($0.line) } + (body.map { broken($0.block) } ?? [])
        let isCut = Self.length(lines + last) > Self.room
        while isCut, !lines.isEmpty, Self.length(lines + [Self.cutMark] + last) > Self.room { lines.removeLast() }
        return lines + (isCut ? [Self.cutMark] : []) + last
    }

    /// Stands where lines are left out. No text from outside has this bracket.
    private static let cutMark = "⟨…⟩"

    /// How many bytes a description may have.
    static let room = AssuanText.longestLine - AssuanText.length("SETDESC ")

    /// The bytes of these lines in a description, line feeds included.
    static func length(_ lines: [String]) -> Int { AssuanText.length(lines.joined(separator: "\n")) }
}

extension PinentryQuestion.Prompt {
    /// The label of the field.
    var label: String {
        switch self {
        case .pin: "Countersign PIN:"
        case .newPIN: "New Countersign PIN:"
        case .words(let words): words.description
        }
    }

    /// The words directly above the field, since not every window draws the label. The windows of several programs that
    /// ask for a password look alike.
    func words(in window: PinentryWindow) -> [String] {
        let first: String
        switch self {
        case .pin: first = "Enter your Countersign PIN,"
        case .newPIN: first = "Choose your Countersign PIN,"
        case .words: return []
        }
        let rest = "not your bank's, not your log-in password"
        switch window {
        case .plain: return [first, rest]
        case .headlined: return [first, "not your bank's,", "not your log-in password"]
        // The label stands beside the field.
        case .small: return [rest]
        }
    }
}

extension PinentryQuestion {
    /// `Label: value`; a long value continues on further lines.
    package static func line(_ label: StaticString, _ value: DisplayText) -> DisplayText {
        text("\(label): \(value.line)")
    }

    /// `Label: value` in a single line: of a long value only the beginning, and its length.
    package static func short(_ label: StaticString, _ value: DisplayText, within width: Int? = nil)
        -> DisplayText
    {
        let width = width ?? longestShort
        let head = "\(label): "
        guard !fits(head + value.line, width) else { return text(head + value.line) }
        let tail = " (\(value.line.count) characters)"
        let measure = TextMeasure.proportional
        return text(head + cut(value.line, to: width - measure.size(head) - measure.size(tail)) + tail)
    }

    /// The part of a text that fits into one line.
    package static func oneLine(_ value: DisplayText, within width: Int? = nil) -> DisplayText {
        let width = width ?? longestShort
        return fits(value.line, width) ? value : text(cut(value.line, to: width))
    }

    /// The ems of a line of `brief`.
    package static let briefWidth = PinentryWindow.small.width(asksPIN: true)
    /// The ems of a line that is not broken in most windows.
    package static let longestShort = PinentryWindow.plain.width(asksPIN: true)
    /// The bytes of such a line, limited too because marks on letters have no width.
    private static let mostBytes = 110

    private static func fits(_ text: String, _ width: Int) -> Bool {
        AssuanText.length(text) <= mostBytes && TextMeasure.proportional.size(text) <= width
    }

    package static func cut(_ text: String, to width: Int) -> String {
        var (kept, width) = (TextWidth.cut(text, to: width, by: .proportional), width)
        while AssuanText.length(kept) > mostBytes, width > 1 {
            width -= 1
            kept = TextWidth.cut(text, to: width, by: .proportional)
        }
        return kept
    }

    /// Joins text that was made safe already with our own words, without escaping it again.
    package static func text(_ shown: String) -> DisplayText { DisplayText(shown: shown) ?? DisplayText(shown) }
}
