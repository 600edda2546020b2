/// A piece of a page's source. Put together in order, the `range`s of all tokens are the whole source, each byte once: what
/// is made of them can leave nothing out without meaning to.
struct HTMLToken {
    enum Kind: Equatable {
        /// Text with character references.
        case text
        /// The content of `<script>`, `<style>`, `<svg>` or `<math>`: nothing in it is a tag or a reference.
        case rawText
        case start(name: String, attributes: [HTMLAttribute])
        case end(name: String)
        /// A comment, a document type, a processing instruction, or a comment that is none (`<!x>`).
        case markup
        /// What follows a construct that never ends: a browser would show none of it.
        case unread
    }

    var kind: Kind
    var range: Range<Int>
}

/// One attribute of a tag, or what stands in a tag and is none.
struct HTMLAttribute: Equatable {
    /// In lower case.
    var name: String
    /// As it stands in the source, with its references. Nil for a name without a value.
    var value: String?
    /// As it stands in the source: name, equals sign, quotes and value.
    var source: Range<Int>
    /// Whether it has one of the forms that programs write: `name`, `name=value`, `name="value"`, `name='value'`.
    var isPlain: Bool
}

/// Names that make an element; whatever else stands in angle brackets is text.
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
