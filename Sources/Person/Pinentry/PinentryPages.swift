package import Dialogue

/// Leads a person through pages that belong together, forwards and back. It knows no window.
///
///     var pages = PinentryPages(questions, onward: "To the PIN")
///     while let page = pages.current { pages.take(Answer(try pinentry.choose(page))) }
///     guard pages.end == .yes else { return }
///
/// In many windows Enter presses the first button. On the last one of several pages this is Back, so that nobody gets
/// to the next question by pressing Enter alone.
package struct PinentryPages: Sendable {
    private let pages: [PinentryQuestion]
    private let onward: StaticString
    private let skip: StaticString?
    private var index = 0
    /// A yes if the person goes on after the last page, `.other` to see something else instead. Nil while pages are shown.
    package private(set) var end: Answer?

    /// `onward` is the label of the button on the last page that leads on, and `skip` that of a button on the first page; nil for none.
    package init(_ pages: [PinentryQuestion], onward: StaticString, skip: StaticString? = nil) {
        self.pages = pages
        self.onward = onward
        self.skip = skip
        end = pages.isEmpty ? .yes : nil
    }

    private var isFirst: Bool { index == 0 }
    private var isLast: Bool { index == pages.count - 1 }

    /// The page to show now; nil at the end.
    package var current: PinentryQuestion? {
        guard end == nil else { return nil }
        var page = pages[index]
        (page.ok, page.other) =
            switch (isFirst, isLast) {
            case (true, true): (onward, skip)
            case (true, false): ("Next", skip)
            case (false, false): ("Next", "Back")
            case (false, true): ("Back", onward)
            }
        return page
    }

    /// The person pressed a button on the current page.
    package mutating func take(_ answer: Answer) {
        guard end == nil else { return }
        switch (answer, isFirst, isLast) {
        case (.no, _, _), (.typed, _, _): end = .no
        case (.yes, true, true), (.other, false, true): end = .yes
        case (.other, true, _): end = .other
        case (.yes, _, false): index += 1
        case (.other, false, false), (.yes, false, true): index -= 1
        }
    }
}
