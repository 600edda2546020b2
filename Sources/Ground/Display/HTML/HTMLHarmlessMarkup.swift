/// Markup that a card leaves out without a mark: the markup that real pages of banks need for their looks, in forms so
/// narrow that no message fits into them. All other markup is shown as hidden.
///
/// A payee may control two places of a text, and begin a tag in the first that ends in the second. The bank's words
/// between them would then be inside of that tag. So a harmless value has no white space (with the exceptions in
/// `HarmlessCSS`), no sentence and no long number: a word of the bank with spaces or line ends around it cannot become a
/// part of one.
enum HTMLHarmlessMarkup {
    /// Whether this is a well-known document type. Another could contain any text.
    static func isDocumentType(_ source: String) -> Bool {
        documentTypes.contains(
            source.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }

    private static let documentTypes: Set<String> = [
        "<!doctype html>",
        "<!doctype html system \"about:legacy-compat\">",
        "<!doctype html public \"-//w3c//dtd html 4.01//en\" \"http://www.w3.org/tr/html4/strict.dtd\">",
        "<!doctype html public \"-//w3c//dtd html 4.01 transitional//en\" \"http://www.w3.org/tr/html4/loose.dtd\">",
        "<!doctype html public \"-//w3c//dtd xhtml 1.0 strict//en\" \"http://www.w3.org/tr/xhtml1/dtd/xhtml1-strict.dtd\">",
        "<!doctype html public \"-//w3c//dtd xhtml 1.0 transitional//en\" \"http://www.w3.org/tr/xhtml1/dtd/xhtml1-transitional.dtd\">",
    ]

    /// Whether an attribute may be left out without a mark.
    static func isHarmless(_ attribute: HTMLAttribute, of element: String) -> Bool {
        guard attribute.isPlain, let value = attribute.value else { return false }
        if attribute.name == "src", element == "img" || element == "image", isPicture(value) { return true }
        guard value.utf8.count <= 200 else { return false }
        switch attribute.name {
        case "class": return isNames(value)
        case "id", "name", "for", "headers": return isName(value)
        case "style": return HarmlessCSS.isDeclarations(value)
        case "width", "height", "border", "cellpadding", "cellspacing", "colspan", "rowspan", "size", "hspace",
            "vspace",
            "rows", "cols", "start", "tabindex", "marginwidth", "marginheight":
            return isMeasure(value)
        case "lang", "xml:lang": return isLanguage(value)
        case "bgcolor", "color", "text", "link", "vlink", "alink": return HarmlessCSS.isColor(value)
        case "src": return (element == "img" || element == "image") && isAddress(value)
        case "href": return element == "link" && isAddress(value)
        case "content": return element == "meta" && metaContents.contains(value.lowercased())
        default: return words[attribute.name]?.contains(value.lowercased()) ?? false
        }
    }

    /// Attributes with a fixed set of values.
    private static let words: [String: Set<String>] = [
        "align": ["left", "right", "center", "justify", "middle", "top", "bottom"],
        "valign": ["top", "middle", "bottom", "baseline"],
        "dir": ["ltr"],
        "charset": ["utf-8", "utf8"],
        "http-equiv": ["content-type", "x-ua-compatible"],
        "rel": ["stylesheet", "icon", "noopener", "noreferrer", "nofollow"],
        "type": ["text/css", "text/html", "text", "submit", "button", "image", "hidden", "checkbox", "radio"],
        "target": ["_blank", "_self", "_top", "_parent"],
        "media": ["all", "screen", "print"],
        "scope": ["row", "col", "rowgroup", "colgroup"],
        "role": ["presentation", "none", "table", "row", "cell", "main", "heading", "list", "listitem", "img"],
        "method": ["get", "post"],
        "xmlns": ["http://www.w3.org/1999/xhtml"],
        "loading": ["lazy", "eager"],
        "aria-hidden": ["true", "false"],
    ]

    private static let metaContents: Set<String> = [
        "text/html; charset=utf-8", "text/html;charset=utf-8", "width=device-width",
        "width=device-width, initial-scale=1",
        "width=device-width,initial-scale=1", "width=device-width, initial-scale=1.0",
        "width=device-width,initial-scale=1.0",
        "ie=edge", "light dark", "light", "dark", "telephone=no", "noindex", "no-referrer",
    ]

    /// Whether this is one class, or several that begin with the same word (`btn btn-primary`). Different words could
    /// be a sentence.
    static func isNames(_ value: String) -> Bool {
        let names = value.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard let first = names.first, names.count <= 6, names.allSatisfy(isName) else { return false }
        return names.dropFirst().allSatisfy { $0.hasPrefix(first + "-") || $0.hasPrefix(first + "_") }
    }

    /// Whether this consists of groups of letters with `-` and `_` between, and at most two digits at the end. An
    /// amount or an account has more.
    static func isName(_ value: String) -> Bool {
        guard (1...40).contains(value.utf8.count) else { return false }
        var previous: UInt8 = UInt8(ascii: "-")
        var digits = 0
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
                if digits > 0 { return false }
            case UInt8(ascii: "-"), UInt8(ascii: "_"):
                if digits > 0 || value.utf8.first == byte { return false }
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits += 1
                if digits > 2 { return false }
            default: return false
            }
            previous = byte
        }
        return previous != UInt8(ascii: "-") && previous != UInt8(ascii: "_") && isLetter(value.utf8.first ?? 0)
    }

    private static func isMeasure(_ value: String) -> Bool {
        let digits = value.utf8.prefix(while: isDigit)
        let unit = value.utf8.dropFirst(digits.count)
        return (1...3).contains(digits.count) && ["", "px", "%"].contains(String(decoding: unit, as: UTF8.self))
    }

    private static func isLanguage(_ value: String) -> Bool {
        let parts = value.split(separator: "-", omittingEmptySubsequences: false)
        return (1...2).contains(parts.count) && parts.allSatisfy { (2...4).contains($0.utf8.count) }
            && value.utf8.allSatisfy { isLetter($0) || $0 == UInt8(ascii: "-") }
    }

    /// Whether this has the form `https://host/path`, without a query and without a number of three digits.
    static func isAddress(_ value: String) -> Bool {
        guard value.hasPrefix("https://") else { return false }
        var digits = 0
        return value.dropFirst(8).utf8.allSatisfy { byte in
            digits = isDigit(byte) ? digits + 1 : 0
            return digits < 3 && (isLetter(byte) || isDigit(byte) || "._~/-".utf8.contains(byte))
        }
    }

    /// Whether this is a picture inside of the page (a `data:` address).
    private static func isPicture(_ value: String) -> Bool {
        guard let comma = value.firstIndex(of: ","),
            ["data:image/png;base64", "data:image/jpeg;base64", "data:image/gif;base64"].contains(
                String(value[..<comma]))
        else { return false }
        return value[value.index(after: comma)...].utf8.allSatisfy {
            isLetter($0) || isDigit($0) || "+/=".utf8.contains($0)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
