package import Basics

/// A bank's page as text (saltedge-v1 section 8.3): no script, no style, nothing loaded; what CSS hides is shown.
///
/// Every byte of the source belongs to one token, and every token is either rendered, or one of the few harmless things of
/// `HTMLQuietMarkup`, or shown in its place as `[hidden: …]`. So nothing that the bank sealed is lost, whatever a payee wrote
/// into it.
package struct HTMLText {
    package let text: DisplayText
    /// Whether the page has nothing to read: no text, no alternative text, no value.
    package let isBlank: Bool
    /// Whether hidden markup was too long to be shown whole.
    package let isCut: Bool

    /// The page's own title is left out where it stands first and is `title`.
    package init(_ page: BankText, besides title: DisplayText) {
        self.init(HTMLPage(page), besides: title)
    }

    package init(_ page: HTMLPage, besides title: DisplayText) {
        let writer = HTMLWriter(page, title: title)
        writer.run()
        text = writer.text
        isBlank = writer.isBlank
        isCut = writer.isCut
    }
}
