/// Writes a page's text from its tokens. Its work for one token is bounded, so the whole is linear.
final class HTMLWriter {
    private let page: HTMLPage
    private let title: DisplayText
    private(set) var out = HTMLOutput()
    private var stack = OpenElements()
    private var pageTitle: [UInt8] = []
    private(set) var isCut = false

    init(_ page: HTMLPage, title: DisplayText) {
        self.page = page
        self.title = title
    }

    var text: DisplayText { out.text }
    var isBlank: Bool { DisplayText(String(decoding: out.words, as: UTF8.self)).isBlank }

    func run() {
        for token in page.tokens {
            switch token.kind {
            case .text: text(page.source(token.range))
            case .rawText: rawText(token)
            case .start(let name, let attributes): start(name, attributes)
            case .end(let name): end(name)
            case .markup: if !isHarmless(token) { hide(token.range) }
            case .unread: unread(token)
            }
        }
        while let element = stack.pop() {
            enter(element.name, -1)
            close(element)
        }
    }

    // MARK: Tokens

    private func text(_ source: ArraySlice<UInt8>) {
        if stack.last?.name == "title" {
            HTMLEntities.decode(source) { pageTitle.append($0) }
        } else {
            HTMLEntities.decode(source) { out.write($0) }
        }
    }

    private func isHarmless(_ token: HTMLToken) -> Bool {
        HTMLHarmlessMarkup.isDocumentType(String(decoding: page.source(token.range), as: UTF8.self))
    }

    private func rawText(_ token: HTMLToken) {
        let source = page.source(token.range)
        if source.allSatisfy(HTMLScanner.isSpace) { return }
        if stack.last?.name == "style", HarmlessCSS.isSheet(String(decoding: source, as: UTF8.self)) { return }
        hide(token.range)
    }

    /// Shows source that a browser would not show.
    private func unread(_ token: HTMLToken) {
        out.endLineAnyway(1)
        out.put(own: "[the page breaks off here; the rest of its source:]")
        out.addSpace()
        for byte in page.source(token.range) { out.write(byte) }
    }

    private func start(_ name: String, _ attributes: [HTMLAttribute]) {
        for closed in Self.implied(by: name) { end(closed.names, within: closed.boundary) }
        var element = OpenElements.Element(name: name)
        let shown = Self.shownAttributes(of: name, attributes)
        if shown.isEmpty { open(&element, attributes) }
        var hidden: [HTMLAttribute] = []
        var isOpen = shown.isEmpty
        for (index, attribute) in attributes.enumerated() {
            if shown.contains(index) {
                flush(&hidden)
                if !isOpen { open(&element, attributes) }
                isOpen = true
            } else if !HTMLHarmlessMarkup.isHarmless(attribute, of: name)
                || attributes[..<index].contains(where: { $0.name == attribute.name })
            {
                hidden.append(attribute)
            }
        }
        flush(&hidden)
        guard !HTMLNames.void.contains(name), stack.push(element) else { return }
        enter(name, 1)
    }

    private func end(_ name: String) {
        end([name], within: Self.tableParts.contains(name) ? ["table"] : ["td", "th", "caption", "table"])
    }

    /// Closes the innermost element with one of these names, unless it stands outside of a boundary.
    private func end(_ names: Set<String>, within boundary: Set<String>) {
        guard let index = stack.innermost(names), index > stack.innermost(boundary.subtracting(names)) ?? -1 else {
            return
        }
        while stack.count > index, let element = stack.pop() {
            enter(element.name, -1)
            close(element)
        }
    }

    // MARK: Elements

    private func open(_ element: inout OpenElements.Element, _ attributes: [HTMLAttribute]) {
        func value(_ name: String) -> String? {
            attributes.first { $0.name == name }.map { HTMLEntities.decode($0.value ?? "") }
        }
        let name = element.name
        switch name {
        case "br": out.breakLine()
        case "hr":
            out.endLineAnyway(1)
            out.put("---")
            out.endLine(1)
        case "img", "image", "area": put(field: "image", value("alt"))
        case "input": input(value)
        case "iframe", "frame", "object", "embed", "applet", "video", "audio", "canvas": out.put("[\(name)]")
        case "textarea", "select": out.open("[field: ")
        case "option":
            element.isChosen = value("selected") != nil
            if count(in: ["select"]) > 1 { out.put(" / ") }
        case "button": out.open("[button: ")
        case "s", "strike", "del": out.open("[struck out: ")
        case "sup": out.put("^")
        case "sub": out.put("_")
        case "a":
            element.target = attributes.first { $0.name == "href" }.flatMap(Self.target)
            element.begin = out.bytes.count
        case "table":
            if let outer = stack.innermost(["table"]) { stack[outer].hasInner = true }
            out.endLine(2)
        case "tr":
            if let table = stack.innermost(["table"]) {
                stack[table].count = 0
                stack[table].hasInner = false
            }
            out.endLineAnyway(1)
        case "td", "th": cell()
        case "li": item()
        case "title": pageTitle = []
        default: out.endLine(Self.breaks[name] ?? 0)
        }
    }

    private func close(_ element: OpenElements.Element) {
        switch element.name {
        case "textarea", "select", "button", "s", "strike", "del": out.put("]")
        case "option": if element.isChosen { out.put(" (chosen)") }
        case "a": link(element)
        case "tr":
            out.endLineAnyway(1)
        case "table", "li":
            out.endLineAnyway(Self.breaks[element.name] ?? 1)
        case "title": writeTitle()
        default: out.endLine(Self.breaks[element.name] ?? 0)
        }
    }

    private func enter(_ name: String, _ step: Int) {
        switch name {
        case "pre", "xmp", "listing", "plaintext": out.preformatted += step
        case "ul", "ol", "menu", "dir", "dd", "blockquote": out.indentation += 2 * step
        default: break
        }
    }

    /// Keeps the columns of a row apart, even if its cells contain blocks.
    private func cell() {
        guard let table = stack.innermost(["table"]) else {
            out.endLineAnyway(1)
            return
        }
        stack[table].count += 1
        if stack[table].hasInner {
            stack[table].hasInner = false
            out.endLineAnyway(1)
        } else if stack[table].count > 1 {
            out.stay()
            out.open(" | ")
        } else {
            out.hold()
        }
    }

    private func item() {
        let number = count(in: Self.lists)
        let isNumbered = stack.innermost(Self.lists).map { stack[$0].name } == "ol"
        out.endLineAnyway(1)
        out.indentation -= 2
        out.open(isNumbered ? "\(number). " : "- ")
        out.indentation += 2
    }

    /// Counts one more child of the innermost element with one of these names.
    private func count(in names: Set<String>) -> Int {
        guard let index = stack.innermost(names) else { return 1 }
        stack[index].count += 1
        return stack[index].count
    }

    private func input(_ value: (String) -> String?) {
        switch value("type")?.lowercased() {
        case "image": put(field: "image", value("alt"))
        case "hidden":
            out.put(own: "[hidden field: ")
            for byte in (value("value") ?? "").utf8 { out.write(byte) }
            out.put("]")
        case "checkbox", "radio":
            let state = value("checked") == nil ? "not checked" : "checked"
            put(field: "field", value("value").map { $0 + ", " + state } ?? state)
        default: put(field: "field", value("value") ?? value("placeholder"))
        }
    }

    /// Writes the page's title if it stands first, unless it equals the card's title. A title elsewhere is shown as a
    /// mark.
    private func writeTitle() {
        let own = DisplayText(String(decoding: pageTitle, as: UTF8.self))
        defer { pageTitle = [] }
        guard !own.line.isEmpty else { return }
        if out.isEmpty {
            if own.line == title.line { return }
            for byte in pageTitle { out.write(byte) }
            out.endLine(2)
        } else {
            out.open("[title: ")
            for byte in pageTitle { out.write(byte) }
            out.put("]")
        }
    }

    /// Writes the address of a link, unless its text is that address.
    private func link(_ element: OpenElements.Element) {
        guard let target = element.target else { return }
        let text = out.bytes[min(element.begin, out.bytes.count)...]
        if text.count <= target.utf8.count + 8 {
            let shown = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(
                separator: " ")
            let same = [
                shown, "mailto:" + shown, "tel:" + shown, "https://" + shown, "https://" + shown + "/", shown + "/",
            ]
            if same.contains(target) { return }
        }
        out.addSpace()
        out.put("[link: " + target + "]")
    }

    // MARK: Marks

    private func put(field name: String, _ value: String?) {
        guard let value, !value.isEmpty else { return out.put("[\(name)]") }
        out.open("[\(name): ")
        for byte in value.utf8 { out.write(byte) }
        out.put("]")
    }

    private func flush(_ hidden: inout [HTMLAttribute]) {
        if let first = hidden.first, let last = hidden.last {
            hide(first.source.lowerBound..<last.source.upperBound)
        }
        hidden = []
    }

    /// Shows markup, which would not be seen otherwise, in its place.
    private func hide(_ range: Range<Int>) {
        if !out.hide(String(decoding: page.source(range), as: UTF8.self)) { isCut = true }
    }
}
