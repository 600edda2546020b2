import Approvals
import Basics
import Desktop
import Display

extension ApprovalNotes {
    func show(_ lockNote: LockNote?, isNews: Bool) async {
        guard let lockNote else { return await notes.close(Self.lockedKey) }
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
        guard isNews else { return await notes.update(Self.lockedKey, note) }
        // Where nobody can see a note, nobody pays either: a shut agent writes no line.
        guard await !notes.show(Self.lockedKey, note), lockNote != .missing else { return }
        notes.report("locked; \(words); unlock it with: countersign unlock")
    }

    func sound(_ reference: String, _ failure: Failure, of age: DesktopNotes.Age) async {
        var key = "alarm " + reference
        var note = Note(
            summary: DisplayText("Alarm: a denial was confirmed"), body: NoteOutcome.failed(failure).content,
            urgency: .critical)
        // Journalled even if it is shown, so that it can be found later.
        notes.report("alarm: a bank confirmed what was denied here; see: countersign history")
        var isShown = await notes.show(key, note, of: age)
        if !isShown, !notes.isNow(age) {
            // After a lock the alarm still appears, but it names no request.
            key = "alarm"
            note.body = NoteOutcome.failed(.overturned()).content
            isShown = await notes.show(key, note)
        }
        if isShown { notes.set(key, stands: true) }
    }

    // MARK: Waiting requests

    func perform(_ step: WaitingNotes.Step, of age: DesktopNotes.Age) async {
        switch step {
        case .show(let card, let key, let isNews):
            await show(key, .waiting(card, at: now()), isNews: isNews, of: age)
        case .showAll(let count, let first, let isNews):
            let note = Note.waiting(count, firstToExpire: first, at: now())
            await show(WaitingNotes.allKey, note, isNews: isNews, of: age)
        case .close(let key): await notes.close(key)
        }
    }

    private func show(_ key: String, _ note: Note, isNews: Bool, of age: DesktopNotes.Age) async {
        guard isNews else { return await notes.update(key, note, of: age) }
        guard await !notes.show(key, note, of: age), notes.isNow(age) else { return }
        notes.report("a request waits for your decision; see it with: countersign pending")
    }
}
