package import Dialogue
package import Display

// Draws what a dialogue asks.

extension Fact {
    /// The fact in a window, where a long value goes on in further lines.
    var shown: DisplayText {
        guard let label else { return value }
        return isShort ? PinentryQuestion.short(label, value) : PinentryQuestion.line(label, value)
    }

    /// The fact in a single line.
    func line(within width: Int? = nil) -> DisplayText {
        label.map { PinentryQuestion.short($0, value, within: width) }
            ?? PinentryQuestion.oneLine(value, within: width)
    }
}

extension PinentryQuestion {
    /// A question of yes or no. `asker` names the process that asks, where the window does not belong to it.
    package init(_ question: Question, _ asker: DisplayText? = nil) {
        self.init(
            question.headline, details: question.facts.map(\.shown) + (asker.map { [$0] } ?? []), ok: question.ok,
            cancel: question.cancel)
    }
}
