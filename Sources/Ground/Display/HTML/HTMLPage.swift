package import Basics

/// The source of a page, and its tokens.
package struct HTMLPage {
    let bytes: [UInt8]
    let tokens: [HTMLToken]

    /// Cuts a text into tokens, whether it is HTML or not.
    package init(_ text: BankText) {
        bytes = Array(text.untrusted.utf8)
        tokens = HTMLScanner.tokens(of: bytes)
    }

    func source(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

    /// Whether the whole text is an HTML document or fragment: it begins and ends with a tag, only white space stands
    /// outside of elements, and every construct ends. One stray tag does not make text a page.
    ///
    /// v1 does not say whether a text is HTML, so this guesses (saltedge-v1 section 8.3). Safety does not depend on the
    /// guess, since a payee may have written both ends of a text: a page is shown completely, too.
    package var isWhole: Bool {
        let content = tokens.filter { $0.kind != .text || !isSpace($0.range) }
        guard let first = content.first(where: { !isComment($0) }), let last = content.last else { return false }
        switch first.kind {
        case .start: break
        case .markup where isDocumentType(first): break
        default: return false
        }
        switch last.kind {
        case .end: break
        case .start(let name, _) where HTMLNames.void.contains(name): break
        case .markup where isComment(last): break
        default: return false
        }
        return hasNothingOutside(content)
    }

    private func hasNothingOutside(_ content: [HTMLToken]) -> Bool {
        var open = OpenElements()
        for token in content {
            switch token.kind {
            case .start(let name, _):
                if !HTMLNames.void.contains(name) { _ = open.push(OpenElements.Element(name: name)) }
            case .end(let name):
                guard let index = open.innermost([name]) else { break }
                while open.count > index { _ = open.pop() }
            case .text: if open.count == 0 { return false }
            case .unread: return false
            case .rawText, .markup: break
            }
        }
        return true
    }

    private func isSpace(_ range: Range<Int>) -> Bool { bytes[range].allSatisfy(HTMLScanner.isSpace) }

    private func isComment(_ token: HTMLToken) -> Bool {
        token.kind == .markup && bytes[token.range].starts(with: "<!--".utf8)
    }

    private func isDocumentType(_ token: HTMLToken) -> Bool {
        HTMLHarmlessMarkup.isDocumentType(String(decoding: bytes[token.range], as: UTF8.self))
    }
}
