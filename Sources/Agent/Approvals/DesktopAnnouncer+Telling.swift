import Authenticator
import Basics
import Desktop
import Display

/// Notes about other things than waiting requests.
extension DesktopAnnouncer {
    func tellLocked(_ lockNote: LockNote?, isNews: Bool) async {
        guard let lockNote else {
            await notifier?.close(key: Self.lockedKey)
            return
        }
        let words: String
        switch lockNote {
        case .waiting(1): words = "1 request waits for your decision"
        case .waiting(let count): words = "\(count) requests wait for your decision"
        case .missing: words = StatusPayload.unaskedWords
        }
        var note = Note(
            summary: DisplayText("Countersign is locked"), body: [DisplayText(words)], actions: [.unlock],
            stay: .lasting, isOurs: true)
        note.isQuiet = lockNote == .missing
        guard isNews else {
            await notifier?.update(key: Self.lockedKey, note: note)
            return
        }
        // Where nobody can see a note, nobody pays either: a shut agent writes no line.
        guard await notifier?.show(key: Self.lockedKey, note: note) != true, lockNote != .missing else { return }
        journal("locked; \(words); unlock it with: countersign unlock")
    }

    func sound(_ reference: String, _ failure: Failure, of age: Int) async {
        var key = "alarm " + reference
        var note = Note(
            summary: DisplayText("Alarm: a denial was confirmed"), body: ReviewOutcome.failed(failure).reasons,
            urgency: .critical)
        // Journalled even if it is shown, so that it can be found later.
        journal("alarm: a bank confirmed what was denied here; see: countersign history")
        var isShown = await show(key, note, of: age)
        if !isShown, !isNow(age) {
            // After a lock the alarm still appears, but it names no request.
            key = "alarm"
            note.body = ReviewOutcome.failed(.overturned()).reasons
            isShown = await notifier?.show(key: key, note: note) ?? false
        }
        if isShown { change { [key] in $0.waiting.set(other: key, stands: true) } }
    }

    func tell(_ outcome: ReviewOutcome, of card: Card?, _ age: Int) async {
        let content = outcome.reasons + (card.map { [$0.title, $0.bank, $0.host, DisplayText($0.reference)] } ?? [])
        var note = Note(
            summary: DisplayText(outcome.headline), body: content, stay: outcome.isGood ? .short : .usual)
        if isNow(age) {
            let isShown = await show(Self.outcomeKey, note, of: age)
            change { $0.waiting.set(other: Self.outcomeKey, stands: isShown && !outcome.isGood) }
        } else {
            // After a lock only the headline may be shown, which has no content.
            note.body = []
            _ = await notifier?.show(key: Self.outcomeKey, note: note)
        }
    }
}
