import CHTML
import SCA

/// A bank's page as text (saltedge-v1 section 8.3): no script, no style, nothing loaded; what CSS hides is shown.
///
/// A page that cannot be read with certainty is shown as its source: too large, nested too deeply, or ending within a
/// comment, script or tag that would swallow what follows.
struct HTMLText {
    static let largest = 2 * 1024 * 1024
    static let deepest = 400

    let text: DisplayText
    /// Whether the page has nothing to read: no text, no alternative text, no value.
    let isBlank: Bool

    /// The page's own title stands first unless it is `title` or the page begins with it.
    init(_ page: BankText, besides title: DisplayText) {
        let source = HTMLSource(page)
        guard page.untrusted.utf8.count <= Self.largest, !source.swallowsItsEnd, let read = Self.read(source) else {
            text = DisplayText("[this page cannot be read safely; its source follows]\n" + page.untrusted)
            isBlank = false
            return
        }
        text = read.text(besides: title)
        isBlank = read.isBlank
    }

    private static func read(_ source: HTMLSource) -> HTMLWriter? {
        let writer = HTMLWriter()
        // The context is the writer, borrowed unretained by callbacks that run only within chtml_parse; the closures match
        // the header: names and attributes end in NUL, text comes with its length.
        var handler = CHTMLHandler(
            start: { context, name, attributes in
                guard let context, let name else { return }
                Unmanaged<HTMLWriter>.fromOpaque(context).takeUnretainedValue()
                    .start(String(cString: name), HTMLAttributes(attributes))
            },
            end: { context, name in
                guard let context, let name else { return }
                Unmanaged<HTMLWriter>.fromOpaque(context).takeUnretainedValue().end(String(cString: name))
            },
            text: { context, bytes, count in
                guard let context, let bytes else { return }
                Unmanaged<HTMLWriter>.fromOpaque(context).takeUnretainedValue()
                    .text(UnsafeRawBufferPointer(start: bytes, count: count))
            })
        // The bytes live for the call and hold no NUL (HTMLSource); the writer is kept alive until the call is over.
        let result = withExtendedLifetime(writer) {
            source.bytes.withUnsafeBytes { bytes in
                chtml_parse(
                    bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, deepest, &handler,
                    Unmanaged.passUnretained(writer).toOpaque())
            }
        }
        return result == CHTML_DONE ? writer : nil
    }
}

/// The attributes of one tag, read from the parser's NULL-terminated list of names and values.
struct HTMLAttributes {
    private var values: [String: String] = [:]

    /// The list lives for the length of the callback; names and values end in NUL and are copied here.
    init(_ list: UnsafePointer<UnsafePointer<CChar>?>?) {
        guard var next = list else { return }
        while let name = next[0] {
            let value = next[1].map { String(cString: $0) } ?? ""
            values[String(cString: name).lowercased()] = value
            next += 2
        }
    }

    subscript(name: String) -> String? { values[name] }
}
