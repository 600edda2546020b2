/// Leads a person through pages that belong together, forwards and back. It knows no window.
///
///     var pages = PinentryPages(questions, onward: "To the PIN")
///     while let page = pages.current { pages.take(try pinentry.choose(page)) }
///     guard pages.end == .read else { return }
///
/// In many windows Enter presses the first button. On the last one of several pages this is Back, so that nobody gets
/// to the next question by pressing Enter alone.
package struct PinentryPages: Sendable {
    /// How it ended.
    package enum End: Sendable, Equatable {
        /// The last page was shown, and the person goes on.
        case read
        /// The person wants to see something else instead.
        case skipped
        case cancelled
    }

    private let pages: [PinentryQuestion]
    private let onward: StaticString
    private let skip: StaticString?
    private var index = 0
    /// Nil while pages are shown.
    package private(set) var end: End?

    /// `onward` is the label of the button on the last page that leads on, and `skip` that of a button on the first page; nil for none.
    package init(_ pages: [PinentryQuestion], onward: StaticString, skip: StaticString? = nil) {
        self.pages = pages
        self.onward = onward
        self.skip = skip
        end = pages.isEmpty ? .read : nil
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
    package mutating func take(_ choice: PinentryChoice) {
        guard end == nil else { return }
        switch (choice, isFirst, isLast) {
        case (.cancel, _, _): end = .cancelled
        case (.ok, true, true), (.other, false, true): end = .read
        case (.other, true, _): end = .skipped
        case (.ok, _, false): index += 1
        case (.other, false, false), (.ok, false, true): index -= 1
        }
    }
}
