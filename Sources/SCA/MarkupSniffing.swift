/// Whether a description is a page or plain text, which v1 does not say (saltedge-v1 section 8.3).
///
/// Markup is a document type, a tag that only a page has (`<p>`, `<table>`, `<br/>`), any known tag with an attribute
/// (`<a href=…>`), or a known tag that is also closed (`<b>…</b>`). Everything else is plain text and is shown as it
/// stands: `a < b`, `x <3`, `<joe@bank.example>`, `see <address>`, and also a lone `&amp;`.
public enum MarkupSniffing {
    /// Linear in the length of the text.
    public static func isHTML(_ text: BankText) -> Bool {
        var text = text.untrusted
        return text.withUTF8 { bytes in
            var opened: Set<String> = []
            var index = 0
            while index < bytes.count {
                if bytes[index] == UInt8(ascii: "<"), isMarkup(Tag(bytes, after: index), opened: &opened) {
                    return true
                }
                index += 1
            }
            return false
        }
    }

    private static func isMarkup(_ tag: Tag, opened: inout Set<String>) -> Bool {
        guard tag.isComplete else { return false }
        if tag.isDoctype || (tag.hasAttribute && isKnown(tag.name)) { return true }
        if tag.isEnd { return opened.contains(tag.name) || pageTags.contains(tag.name) }
        if isKnown(tag.name) { opened.insert(tag.name) }
        return pageTags.contains(tag.name)
    }

    private static func isKnown(_ name: String) -> Bool { pageTags.contains(name) || otherTags.contains(name) }

    /// Tags that stand for markup alone.
    private static let pageTags: Set<String> = [
        "html", "head", "body", "p", "br", "hr", "div", "span", "table", "thead", "tbody", "tfoot", "tr", "td", "th",
        "ul",
        "ol", "li", "dl", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "img", "blockquote", "pre", "center",
        "strong",
        "em", "script", "style", "meta",
    ]
    /// Tags that could be a word between angle brackets.
    private static let otherTags: Set<String> = [
        "a", "abbr", "address", "article", "aside", "b", "bdi", "bdo", "big", "button", "caption", "cite", "code",
        "del",
        "details", "dfn", "fieldset", "figcaption", "figure", "font", "footer", "form", "header", "i", "iframe",
        "input",
        "ins", "kbd", "label", "legend", "link", "main", "mark", "nav", "object", "option", "q", "s", "samp", "section",
        "select", "small", "strike", "sub", "summary", "sup", "svg", "textarea", "time", "title", "tt", "u", "var",
        "video",
    ]

    /// What stands behind a `<`, read no further than needed: the name, and whether `>`, `/>` or an attribute follows.
    private struct Tag {
        private static let longestName = 64

        private(set) var name = ""
        private(set) var isEnd = false
        private(set) var isDoctype = false
        private(set) var hasAttribute = false
        private(set) var isComplete = false

        init(_ bytes: UnsafeBufferPointer<UInt8>, after start: Int) {
            var index = start + 1
            let limit = min(bytes.count, start + 4 * Self.longestName)

            func read(while matches: (UInt8) -> Bool) -> String {
                let begin = index
                while index < limit, index - begin < Self.longestName, matches(bytes[index]) { index += 1 }
                return String(decoding: bytes[begin..<index], as: UTF8.self).lowercased()
            }
            func peek(_ character: Unicode.Scalar) -> Bool { index < limit && bytes[index] == UInt8(ascii: character) }

            if peek("!") {
                index += 1
                isDoctype = read(while: Self.isNameByte) == "doctype"
                isComplete = isDoctype
                return
            }
            if peek("/") {
                isEnd = true
                index += 1
            }
            name = read(while: Self.isNameByte)
            let gap = read(while: Self.isSpace)
            if peek(">") {
                isComplete = true
            } else if peek("/"), !isEnd {
                index += 1
                _ = read(while: Self.isSpace)
                isComplete = peek(">")
            } else if !gap.isEmpty, !isEnd {
                let attribute = read(while: Self.isNameByte)
                _ = read(while: Self.isSpace)
                hasAttribute = !attribute.isEmpty && peek("=")
                isComplete = hasAttribute
            }
        }

        private static func isNameByte(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"):
                true
            default: false
            }
        }

        private static func isSpace(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: " ") || (9...13).contains(byte)
        }
    }
}
