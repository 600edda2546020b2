import Dialogue
import Display

extension Screen {
    /// A question on a page of its own, of yes or no.
    package struct AskPage: Sendable, Equatable {
        /// One fact to decide by: a label of ours with a value, or a sentence.
        package struct Line: Sendable, Equatable {
            package let label: String?
            package let value: String
        }

        package let title: String
        package let headline: String
        /// Sentences above the facts.
        package let above: [String]
        package let facts: [Line]
        /// Texts that banks wrote.
        package let sheet: [String]
        /// The answer, besides yes or no.
        package let question: Question?
        /// The button of a yes; nil while nothing can be answered.
        package let ok: String?
        /// Nil while nothing can be taken back.
        package let cancel: String?
        /// Whether a yes destroys something.
        package let isGrave: Bool
        package let trouble: String?
        package let isBusy: Bool

        /// Whether both differ only in trouble and in being busy.
        package func isLike(_ other: AskPage) -> Bool {
            (title, headline, above, facts) == (other.title, other.headline, other.above, other.facts)
                && (sheet, question?.input, ok, cancel) == (other.sheet, other.question?.input, other.ok, other.cancel)
                && (ok != nil || isBusy == other.isBusy)
        }

        init(
            title: String, headline: String, above: [String] = [], facts: [Line] = [], sheet: [String] = [],
            input: Question.Input = .none, prompt: String? = nil, ok: String? = nil, cancel: String? = nil,
            isGrave: Bool = false, trouble: String? = nil,
            isBusy: Bool = false
        ) {
            (self.title, self.headline, self.above, self.facts) = (title, headline, above, facts)
            (self.sheet, self.ok, self.isGrave) = (sheet, ok, isGrave)
            self.cancel = cancel ?? (ok == nil ? nil : "Cancel")
            (self.trouble, self.isBusy) = (trouble, isBusy)
            question =
                input == .none
                ? nil
                : Question(
                    verdict: .approve, headline: prompt ?? headline, words: nil, recap: [], input: input,
                    trouble: trouble, isEarly: false)
        }

        /// A question of a dialogue.
        init(
            title: String, _ question: Dialogue.Question, above: [String] = [], isGrave: Bool = true,
            trouble: String? = nil, isBusy: Bool = false
        ) {
            self.init(
                title: title, headline: question.headline.description, above: above + question.above,
                facts: question.facts.map(Line.init), ok: question.ok.description,
                cancel: question.cancel.description, isGrave: isGrave, trouble: trouble, isBusy: isBusy)
        }
    }
}

extension Screen.AskPage.Line {
    init(_ fact: Fact) { self.init(label: fact.label?.description, value: fact.value.line) }
}
