package import Basics

/// A bank's page as text (saltedge-v1 section 8.3). No script runs, no style applies, nothing is loaded; text that CSS
/// would hide is shown.
///
/// Every byte of the source belongs to one token. A token is either rendered, or harmless (`HTMLHarmlessMarkup`), or
/// shown in its place as `[hidden: …]`. So nothing that the bank sealed is lost, even beside text of a payee.
package struct HTMLText {
    /// The whole page, in lines.
    package let text: DisplayText
    /// Whether the page has nothing to read: no text, no alternative text of an image, no value of a field.
    package let isBlank: Bool
    /// Whether hidden markup was too long to be shown whole.
    package let isCut: Bool

    /// Renders a page. Its own title is left out when it stands first and equals `title`.
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
