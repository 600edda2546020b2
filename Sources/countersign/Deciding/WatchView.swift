import Approvals
import Dialogue
import Display
import FoundationEssentials

/// The waiting requests on a terminal: the selected card in full, the others in one line each. It has no I/O and does not know where
/// events come from.
struct WatchView {
    var list: WaitingCards
    /// How many lines of the card are scrolled away above, and how many one page has.
    var (scrolled, page) = (0, 1)
    /// The selection that `scrolled` belongs to.
    private var selections = 0
    var showsKeys = false

    init(openedAt: Date) { list = WaitingCards(openedAt: openedAt) }

    /// The selected card as it is drawn; nil if none is.
    var selected: Card? { showsKeys ? nil : list.selected }

    /// Adds the card that the person brought, and selects it.
    mutating func bring(_ card: Card) {
        list.bring(card)
        showsKeys = false
    }

    /// Settles which card is drawn, and shows a new one from its beginning.
    mutating func settle(at now: Date) {
        list.settle(at: now)
        if selections != list.selections { (selections, scrolled) = (list.selections, 0) }
    }

    /// Handles a key that only the view needs. Returns false for any other key.
    mutating func press(_ key: Key) -> Bool {
        list.touch()
        if showsKeys {
            // Any key only closes the list of keys, since the card was not visible.
            showsKeys = false
            return true
        }
        switch key {
        case Key("?"): showsKeys = true
        case Key("s"): list.skip()
        case .right, Key("\t"): list.step(by: 1)
        case .left, .backTab: list.step(by: -1)
        case .character(let digit) where (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(digit):
            list.choose(at: Int(digit - UInt8(ascii: "1")))
        // Drawing limits `scrolled` to the card.
        case .up: scrolled -= 1
        case .down: scrolled += 1
        case .pageUp: scrolled -= page
        case .pageDown, Key(" "): scrolled += page
        case .home: scrolled = 0
        case .end: scrolled = .max / 2
        default: return false
        }
        return true
    }
}

extension WaitingCards.News {
    /// A line that stays on the terminal.
    var line: String {
        switch self {
        case .changed(let reference): "changed  \(reference)  the bank replaced its content"
        case .renamed(let reference, let new): "renamed  \(reference)  now \(new)"
        case .gone(let card):
            "gone  \(card.reference)  "
                + (card.isPending ? "withdrawn, decided elsewhere or expired" : card.status.line)
        case .expired(let reference): "expired  \(reference)"
        case .decided(let decision): decision.textFromElsewhere
        case .failure(let failure): failure.text
        case .recovered(let connection): "\(connection) answers again"
        }
    }
}
