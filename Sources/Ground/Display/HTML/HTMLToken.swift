/// A piece of a page's source. The `range`s of all tokens, in order, cover the whole source, each byte once. So nothing
/// can be left out of the text by mistake.
struct HTMLToken {
    enum Kind: Equatable {
        /// Text with character references.
        case text
        /// The content of `<script>`, `<style>`, `<svg>` or `<math>`: nothing in it is a tag or a reference.
        case rawText
        case start(name: String, attributes: [HTMLAttribute])
        case end(name: String)
        /// A comment, a document type, a processing instruction, or markup that browsers treat as a comment (`<!x>`).
        case markup
        /// A construct that never ends, and all that follows it. A browser would show none of it.
        case unread
    }

    var kind: Kind
    var range: Range<Int>
}

/// One attribute of a tag, or anything else that stands in a tag.
struct HTMLAttribute: Equatable {
    /// In lower case.
    var name: String
    /// As written in the source, with character references. Nil for a name without a value.
    var value: String?
    /// Where the attribute stands in the source: name, equals sign, quotes and value.
    var source: Range<Int>
    /// Whether it is written in one of the usual forms: `name`, `name=value`, `name="value"`, `name='value'`.
    var isPlain: Bool
}

/// The names of elements. Anything else in angle brackets is text.
enum HTMLNames {
    static let known: Set<String> = [
        "a", "abbr", "acronym", "address", "applet", "area", "article", "aside", "audio", "b", "base", "basefont",
        "bdi",
        "bdo", "big", "blockquote", "body", "br", "button", "canvas", "caption", "center", "cite", "code", "col",
        "colgroup", "data", "datalist", "dd", "del", "details", "dfn", "dialog", "dir", "div", "dl", "dt", "em",
        "embed",
        "fieldset", "figcaption", "figure", "font", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5",
        "h6", "head", "header", "hgroup", "hr", "html", "i", "iframe", "image", "img", "input", "ins", "kbd", "label",
        "legend", "li", "link", "listing", "main", "map", "mark", "marquee", "math", "menu", "meta", "meter", "nav",
        "nobr", "noembed", "noframes", "noscript", "object", "ol", "optgroup", "option", "output", "p", "param",
        "picture", "plaintext", "pre", "progress", "q", "s", "samp", "script", "search", "section", "select", "small",
        "source", "span", "strike", "strong", "style", "sub", "summary", "sup", "svg", "table", "tbody", "td",
        "template", "textarea", "tfoot", "th", "thead", "time", "title", "tr", "track", "tt", "u", "ul", "var", "video",
        "wbr", "xmp",
    ]
    /// Elements without content and without an end tag.
    static let void: Set<String> = [
        "area", "base", "basefont", "br", "col", "embed", "frame", "hr", "image", "img", "input", "link", "meta",
        "param",
        "source", "track", "wbr",
    ]
    /// Elements whose content is not shown.
    static let raw: Set<String> = ["script", "style", "svg", "math"]
    /// Elements whose content is text with references, and no tags.
    static let textOnly: Set<String> = ["title", "textarea"]
}
