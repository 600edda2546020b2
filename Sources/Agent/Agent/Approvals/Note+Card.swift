import Approvals
import Desktop
import Display
import FoundationEssentials
import ApprovalModel

/// Notes about requests that wait.
extension Note {
    static func waiting(_ card: Card, at now: Date) -> Note {
        Note(
            summary: card.title, body: essentials(of: card, at: now), actions: [.review, .deny], urgency: .critical,
            stay: .lasting, tag: card.fingerprint.hex)
    }

    /// One note for many requests.
    static func waiting(_ count: Int, firstToExpire card: Card, at now: Date) -> Note {
        Note(
            summary: DisplayText("\(count) requests wait"),
            body: [DisplayText("The first to expire:"), card.title] + essentials(of: card, at: now),
            actions: [.review], urgency: .critical, stay: .lasting)
    }

    /// Reference and time distinguish two requests with the same words: desktops merge equal notes.
    private static func essentials(of card: Card, at now: Date) -> [DisplayText] {
        let expiry = card.expiresAt.map { ", expires at \(LocalTime.short($0, at: now))" } ?? ""
        return [card.bank, card.host, DisplayText(card.reference + expiry)]
    }
}
