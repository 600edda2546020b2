// The writer's rules for each element of HTML.

extension HTMLWriter {
    static let tableParts: Set<String> = ["table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption"]
    static let lists: Set<String> = ["ul", "ol", "menu", "dir"]

    /// Which open element a start tag ends without an end tag (WHATWG HTML, section 13.1.2.4): the innermost of these,
    /// unless a boundary lies between.
    struct Implied {
        var names: Set<String>
        var boundary: Set<String>
    }

    static func implied(by name: String) -> [Implied] {
        let cell: Set<String> = ["td", "th", "caption", "table", "button"]
        switch name {
        case "li": return [Implied(names: ["li"], boundary: lists.union(cell))]
        case "dt", "dd": return [Implied(names: ["dt", "dd"], boundary: cell.union(["dl"]))]
        case "option": return [Implied(names: ["option"], boundary: cell.union(["select", "datalist"]))]
        case "optgroup": return [Implied(names: ["optgroup", "option"], boundary: cell.union(["select"]))]
        case "td", "th": return [Implied(names: ["td", "th"], boundary: ["tr", "table"])]
        case "tr":
            return [Implied(names: ["tr"], boundary: ["table"]), Implied(names: ["td", "th"], boundary: ["table"])]
        case "thead", "tbody", "tfoot": return [Implied(names: ["thead", "tbody", "tfoot"], boundary: ["table"])]
        default: return breaks[name] == nil ? [] : [Implied(names: ["p"], boundary: cell)]
        }
    }

    /// Indices of the attributes that the rendering of this element shows: the first of each name.
    static func shownAttributes(of name: String, _ attributes: [HTMLAttribute]) -> Set<Int> {
        func first(_ name: String, where holds: (HTMLAttribute) -> Bool = { _ in true }) -> Int? {
            attributes.firstIndex { $0.name == name }.flatMap { holds(attributes[$0]) ? $0 : nil }
        }
        switch name {
        case "img", "image", "area": return Set([first("alt")].compactMap { $0 })
        case "input":
            let type = first("type").flatMap { attributes[$0].value?.lowercased() }
            if type == "image" { return Set([first("alt")].compactMap { $0 }) }
            return Set(
                [first("value") ?? first("placeholder"), first("checked") { $0.value == nil }].compactMap { $0 })
        case "option": return Set([first("selected") { $0.value == nil }].compactMap { $0 })
        case "a": return Set([first("href") { Self.target($0) != nil }].compactMap { $0 })
        default: return []
        }
    }

    /// Line ends before and after an element; two make a blank line.
    static let breaks: [String: Int] = {
        let one = [
            "address", "article", "aside", "body", "caption", "center", "dd", "details", "dialog", "dir", "div", "dt",
            "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "html", "legend", "main", "menu",
            "nav", "ol", "section", "summary", "tbody", "tfoot", "thead", "ul",
        ]
        let two = [
            "blockquote", "dl", "h1", "h2", "h3", "h4", "h5", "h6", "listing", "p", "plaintext", "pre", "table", "xmp",
        ]
        return Dictionary(uniqueKeysWithValues: one.map { ($0, 1) } + two.map { ($0, 2) })
    }()

    /// The address of a link, if it is one word and short enough to be shown whole.
    static func target(_ attribute: HTMLAttribute) -> String? {
        guard attribute.isPlain, let value = attribute.value else { return nil }
        let target = HTMLEntities.decode(value)
        guard !target.isEmpty, target.utf8.count <= 200, target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        return target
    }
}
