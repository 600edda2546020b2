/// A question of yes or no, in words of our own.
///
/// A terminal draws the sentences, a window the headline, the facts and the button. Both forms are made from the same values, in the
/// files `Question+…`.
package struct Question: Sendable, Equatable {
    /// On a terminal, lines before the question, which they are no part of.
    package let above: [String]
    /// On a terminal, a line each. The last one asks.
    package let sentences: [String]
    /// On a terminal, in place of the sentences where an option has said yes already.
    let notice: [String]
    /// The error where nobody can be asked and no option has said yes.
    package let unasked: String
    package let headline: StaticString
    /// Below the headline.
    package let facts: [Fact]
    /// The button of a yes.
    package let ok: StaticString
    /// The button of a no.
    package let cancel: StaticString

    init(
        _ sentences: [String], above: [String] = [], notice: [String] = [],
        unasked: String = "there is nobody to confirm it",
        headline: StaticString, _ facts: [Fact], ok: StaticString, cancel: StaticString = "Cancel"
    ) {
        self.above = above
        self.sentences = sentences
        self.notice = notice
        self.unasked = unasked
        self.headline = headline
        self.facts = facts
        self.ok = ok
        self.cancel = cancel
    }

    package static func == (a: Question, b: Question) -> Bool {
        a.sentences == b.sentences && a.facts == b.facts && a.headline.description == b.headline.description
    }
}
