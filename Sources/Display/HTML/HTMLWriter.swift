/// Writes a page's text from the parser's events. Its work for one event is bounded, so the whole is linear.
final class HTMLWriter {
    struct Element {
        var name: String
        /// `a`: where it leads, and where its text begins. `option`: whether it is the chosen one.
        var target: String?
        var begin = 0
        var isChosen = false
        /// `select`: its options; `ol` and `ul`: their items; `tr` and `table`: cells of the row so far.
        var count = 0
        /// `table`: a table stood within the cell that was read last.
        var hasInner = false
    }

    private(set) var out: [UInt8] = []
    private var stack: [Element] = []
    private var breaks = 0
    private var space = false
    /// Something that belongs before text (`- `, ` | `) was just written: no line may break there.
    private var isFresh = false
    private var preformatted = 0
    private var indentation = 0
    private var pageTitle: [UInt8] = []
    /// The beginning of all that can be read, to judge whether there is anything.
    private var words: [UInt8] = []

    var isBlank: Bool { DisplayText(Self.string(words + pageTitle.prefix(4096))).isBlank }

    func text(besides title: DisplayText) -> DisplayText {
        let text = DisplayText(Self.string(out))
        let own = DisplayText(Self.string(pageTitle))
        let begin = text.line.utf8.prefix(4096)
        if own.isBlank || own.line == title.line || Substring(begin).contains(own.line) { return text }
        return DisplayText(Self.string(pageTitle) + "\n\n" + Self.string(out))
    }

    private static func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    // MARK: Events

    func text(_ bytes: UnsafeRawBufferPointer) {
        switch stack.last?.name {
        case "script", "style": break
        case "title":
            pageTitle += bytes
        default: write(bytes)
        }
    }

    func start(_ name: String, _ attributes: HTMLAttributes) {
        var element = Element(name: name)
        switch name {
        case "br": breaks += 1
        case "hr": line { put("---") }
        case "img", "image", "area": put(field: "image", attributes["alt"])
        case "input": input(attributes)
        case "iframe", "frame", "object", "embed", "applet", "video", "audio", "canvas": put("[\(name)]")
        case "textarea", "select": open("[field: ")
        case "option":
            element.isChosen = attributes["selected"] != nil
            if count(in: ["select"]) > 1 { put(" / ") }
        case "button": open("[button: ")
        case "s", "strike", "del": open("[struck out: ")
        case "sup": put("^")
        case "sub": put("_")
        case "a":
            element.target = attributes["href"]
            element.begin = out.count
        case "table":
            if let outer = stack.lastIndex(where: { $0.name == "table" }) { stack[outer].hasInner = true }
            endLine(2)
        case "tr":
            if let table = stack.lastIndex(where: { $0.name == "table" }) {
                stack[table].count = 0
                stack[table].hasInner = false
            }
            isFresh = false
            endLine(1)
        case "td", "th": cell()
        case "li": item()
        default: endLine(Self.breaks[name] ?? 0)
        }
        stack.append(element)
        enter(name, 1)
    }

    func end(_ name: String) {
        guard let index = stack.lastIndex(where: { $0.name == name }) else { return }
        while stack.count > index, let element = stack.popLast() {
            enter(element.name, -1)
            close(element)
        }
    }

    private func close(_ element: Element) {
        switch element.name {
        case "textarea", "select", "button", "s", "strike", "del": put("]")
        case "option": if element.isChosen { put(" (chosen)") }
        case "a": link(element)
        case "tr":
            isFresh = false
            breaks = 1
        case "table", "li":
            isFresh = false
            endLine(Self.breaks[element.name] ?? 1)
        default: endLine(Self.breaks[element.name] ?? 0)
        }
    }

    private func enter(_ name: String, _ step: Int) {
        switch name {
        case "pre", "xmp", "listing", "plaintext": preformatted += step
        case "ul", "ol", "menu", "dir", "dd", "blockquote": indentation += 2 * step
        default: break
        }
    }

    /// Line ends before and after an element; two make a blank line.
    private static let breaks: [String: Int] = {
        let one = [
            "address", "article", "aside", "body", "caption", "center", "dd", "details", "dialog", "dir", "div", "dt",
            "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "html", "legend", "main", "menu",
            "nav",
            "ol", "section", "summary", "tbody", "tfoot", "thead", "ul",
        ]
        let two = [
            "blockquote", "dl", "h1", "h2", "h3", "h4", "h5", "h6", "listing", "p", "plaintext", "pre", "table", "xmp",
        ]
        return Dictionary(uniqueKeysWithValues: one.map { ($0, 1) } + two.map { ($0, 2) })
    }()

    // MARK: Elements

    /// Columns of a row stay apart, whatever blocks its cells hold.
    private func cell() {
        guard let table = stack.lastIndex(where: { $0.name == "table" }) else {
            isFresh = false
            endLine(1)
            return
        }
        stack[table].count += 1
        if stack[table].hasInner {
            stack[table].hasInner = false
            isFresh = false
            endLine(1)
        } else if stack[table].count > 1 {
            breaks = 0
            space = false
            open(" | ")
        } else {
            isFresh = true
        }
    }

    private func item() {
        let number = count(in: ["ul", "ol", "menu", "dir"])
        let isNumbered = stack.last { ["ul", "ol", "menu", "dir"].contains($0.name) }?.name == "ol"
        isFresh = false
        endLine(1)
        indentation -= 2
        open(isNumbered ? "\(number). " : "- ")
        indentation += 2
    }

    /// Counts one more child of the innermost element with one of these names.
    private func count(in names: Set<String>) -> Int {
        guard let index = stack.lastIndex(where: { names.contains($0.name) }) else { return 1 }
        stack[index].count += 1
        return stack[index].count
    }

    private func input(_ attributes: HTMLAttributes) {
        switch attributes["type"]?.lowercased() {
        case "image": put(field: "image", attributes["alt"])
        case "hidden": put(field: "hidden field", attributes["value"])
        case "checkbox", "radio":
            let state = attributes["checked"] == nil ? "not checked" : "checked"
            put(field: "field", attributes["value"].map { $0 + ", " + state } ?? state)
        default: put(field: "field", attributes["value"] ?? attributes["placeholder"])
        }
    }

    /// Names where a link leads unless its text says so.
    private func link(_ element: Element) {
        guard let target = element.target, !target.isEmpty, !target.hasPrefix("#") else { return }
        let text = out[min(element.begin, out.count)...]
        if text.count <= target.utf8.count + 8 {
            let shown = Self.string(Array(text)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            let same = [
                shown, "mailto:" + shown, "tel:" + shown, "https://" + shown, "https://" + shown + "/", shown + "/",
            ]
            if same.contains(target) { return }
        }
        space = true
        put("[link: " + Self.address(target) + "]")
    }

    /// In printable ASCII, percent-encoded where it is not, at most 200 characters with `…`.
    private static func address(_ target: String) -> String {
        var made = ""
        for byte in target.utf8 {
            guard made.utf8.count < 200 else { return made + "…" }
            if (0x21...0x7E).contains(byte) {
                made.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                made += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return made
    }

    // MARK: Writing

    private func endLine(_ count: Int) {
        if !isFresh { breaks = max(breaks, count) }
    }

    private func line(_ body: () -> Void) {
        isFresh = false
        endLine(1)
        body()
        endLine(1)
    }

    private func put(field name: String, _ value: String?) {
        guard var value, !value.isEmpty else { return put("[\(name)]") }
        open("[\(name): ")
        value.withUTF8 { write(UnsafeRawBufferPointer($0)) }  // lent for the call
        put("]")
    }

    /// Words of ours.
    private func put(_ text: String) {
        begin()
        out += text.utf8
    }

    /// Words of ours that belong before what follows.
    private func open(_ text: String) {
        put(text)
        isFresh = true
    }

    /// Words of the page: white space collapses outside of preformatted text.
    private func write(_ bytes: UnsafeRawBufferPointer) {
        if preformatted > 0 { begin() }
        for byte in bytes {
            let isSpace = byte == 0x20 || (0x09...0x0D).contains(byte)
            if isSpace, preformatted == 0 {
                space = !isFresh
                continue
            }
            if !isSpace, words.count < 4096 { words.append(byte) }
            begin()
            out.append(byte)
        }
    }

    /// Writes the line ends or the space that were held back.
    private func begin() {
        if breaks > 0 {
            if !out.isEmpty { out += repeatElement(UInt8(ascii: "\n"), count: min(breaks, 2)) }
            out += repeatElement(UInt8(ascii: " "), count: min(max(indentation, 0), 24))
        } else if space {
            out.append(UInt8(ascii: " "))
        }
        breaks = 0
        space = false
        isFresh = false
    }
}
