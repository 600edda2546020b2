public import Display
public import FoundationEssentials

/// What a pinentry asks, which may stand far from the terminal or script that asks. `asker`: the process that does, and what
/// started it.
extension PinentryQuestion {
    public static func unlock(_ asker: DisplayText) -> PinentryQuestion {
        PinentryQuestion("Enter your PIN to open your bank connections", details: [asker])
    }

    /// The whole card, page by page, which is shown before a PIN is taken for it.
    public static func pages(of card: Card, _ asker: DisplayText, at now: Date) -> [PinentryQuestion] {
        let words: StaticString = "A bank asks you to confirm this"
        let room = room(below: words) - AssuanText.length(asker.line + "\n")
        return card.pages(at: now, within: room).map { PinentryQuestion(words, details: [asker], body: $0, ok: "Next") }
    }

    public static func approve(_ card: Card, _ asker: DisplayText) -> PinentryQuestion {
        PinentryQuestion(
            "Enter your PIN to approve what a bank asks", details: details(of: card, asker), ok: "Approve")
    }

    public static func denyByPIN(_ card: Card, _ asker: DisplayText) -> PinentryQuestion {
        PinentryQuestion("Enter your PIN to deny what a bank asks", details: details(of: card, asker), ok: "Deny")
    }

    public static func deny(_ card: Card, _ asker: DisplayText) -> PinentryQuestion {
        PinentryQuestion("Deny what a bank asks?", details: details(of: card, asker), ok: "Deny")
    }

    /// Fingerprint and asker before the bank's words, however long those are.
    private static func details(of card: Card, _ asker: DisplayText) -> [DisplayText] {
        [DisplayText("Fingerprint: \(card.fingerprint.short)"), asker, card.bank, card.host, card.title]
    }
}

extension Card {
    /// The whole card in pieces of at most so many bytes, as they stand in a pinentry's protocol, so that it cuts none.
    func pages(at now: Date, within room: Int) -> [DisplayText] {
        let room = room - AssuanText.length("999 of 999\n")
        var pages: [[String]] = [[]]
        var size = 0
        for line in lines(at: now, width: 60).flatMap({ Self.pieces(of: $0, within: room) }) {
            let length = AssuanText.length(line + "\n")
            if size + length > room, size > 0 {
                pages.append([])
                size = 0
            }
            pages[pages.count - 1].append(line)
            size += length
        }
        return pages.enumerated().map { index, page in
            let head = pages.count > 1 ? ["\(index + 1) of \(pages.count)"] : []
            return DisplayText(shown: (head + page).joined(separator: "\n"))
                ?? DisplayText((head + page).joined(separator: "\n"))
        }
    }

    /// A line of the card; one that is longer than a page goes on in the next lines, still inside of the frame.
    private static func pieces(of line: String, within room: Int) -> [String] {
        let room = room - AssuanText.length("\n")
        guard AssuanText.length(line) > room else { return [line] }
        var pieces = [""]
        var size = 0
        for scalar in line.unicodeScalars {
            let length = AssuanText.length(String(scalar))
            if size + length > room {
                pieces.append("│ ")
                size = AssuanText.length("│ ")
            }
            pieces[pieces.count - 1].unicodeScalars.append(scalar)
            size += length
        }
        return pieces
    }
}
