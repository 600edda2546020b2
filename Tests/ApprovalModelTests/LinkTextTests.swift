import Basics
import ApprovalModel
import Testing

/// What copying does to a link: mended where only one meaning is possible, refused otherwise.
@Suite struct LinkTextTests {
    static let link = "authenticator://fern.example/connect?configuration=https://b.example/c&connect_query=q&x=1"

    @Test(
        "is mended",
        arguments: [
            link, " \t\(link)\n", "\u{FEFF}\(link)", "\(link)\u{200B}", link.replacing("://f", with: "://\u{200B}f"),
            link.replacing("query", with: "que\u{AD}ry"), "\u{202A}\(link)\u{202C}", "\"\(link)\"", "<\(link)>",
            "“\(link)”", "'\(link)' ",
            link.replacing("&", with: "&amp;"), link.replacing("&", with: "&#38;"), link.replacing("&", with: "&#x26;"),
            link.replacing("&", with: "&amp;amp;"),
        ])
    func mended(_ text: String) throws {
    }

    @Test(
        "is refused",
        arguments: [
            (link.replacing("&x", with: "&amp;x"), LinkError.Kind.broken),
            (link.replacing("&c", with: "&#38;c"), .broken),
            (link + " and then sign in", .broken), (link.replacing("/c&", with: "/ c&"), .broken),
            (link.replacing("b.example", with: "b.exam…"), .broken), (link + "\nThanks", .notALink),
            ("hello there", .notALink), ("\u{FEFF}", .notALink), (link + "\u{7}", .notALink),
        ])
    func refused(_ text: String, _ kind: LinkError.Kind) {
        #expect { try LinkText(text) } throws: { ($0 as? LinkError)?.kind == kind }
    }

    /// Reads `fern:` links that end with a dot.
    private struct Whole: LinkReader {
        func read(_ link: LinkText) throws(LinkError) -> Link? {
            guard link.scheme == "fern" else { return nil }
            guard link.text.hasSuffix(".") else { throw LinkError(.incomplete, "cut off") }
            return .action(
                ActionLink(
                    id: BankText("1"), bank: BankText("b"), returnTo: nil, isFor: { _ in false },
                    content: String(link.text)))
        }
    }

    @Test(
        "in lines",
        arguments: [
            ("fern:abc\ndef.", "fern:abcdef."), ("fern:abc\r\n  def\r\n.\r\n", "fern:abcdef."),
            ("fern:abc.\n\n", "fern:abc."),
            ("fern:abc.\ndef.", nil), ("fern:abc.\nThanks", nil), ("fern:ab\ncd.\nBob.", nil), ("fern:abc\ndef", nil),
            ("hello\nfern:abc.", nil),
        ])
    func lines(_ text: String, _ whole: String?) {
        let read = try? LinkReaders([Whole()]).read(text)
        guard case .action(let action)? = read else {
            #expect(whole == nil)
            return
        }
        #expect(action.content as? String == whole)
    }
}
