public import Display

/// Tells what waits by the desktop's notifications, and does what the person presses on them. Where nothing shows
/// notifications there is a line in the journal, without any content.
public final class DesktopAnnouncer: Announcing {
    private enum Job: Sendable {
        case announce(Card)
        case retract(String)
        case hide(Int?)
        case unhide
    }

    /// The key of the note that says how many wait; no reference is like it.
    private static let lockedKey = "locked"
    private static let failureKey = "failure"

    private let notifier: Notifier?
    private let journal: @Sendable (String) -> Void
    private let jobs: AsyncStream<Job>
    private let inlet: AsyncStream<Job>.Continuation

    /// - Parameters:
    ///   - notifier: nil writes to the journal alone.
    ///   - journal: takes one line, without anything that a bank sent.
    public init(_ notifier: Notifier?, journal: @escaping @Sendable (String) -> Void) {
        self.notifier = notifier
        self.journal = journal
        (jobs, inlet) = AsyncStream.makeStream()
    }

    public func announce(_ card: Card) { inlet.yield(.announce(card)) }
    public func retract(_ reference: String) { inlet.yield(.retract(reference)) }
    public func hide(waiting: Int?) { inlet.yield(.hide(waiting)) }
    public func unhide() { inlet.yield(.unhide) }

    /// Works until its task is cancelled; then all notes are taken away.
    public func run(for core: AgentCore) async {
        await withTaskGroup { group in
            group.addTask { [self] in
                // Whether content may stand in notes.
                var isHidden = false
                for await job in jobs { await perform(job, &isHidden) }
            }
            if let notifier {
                group.addTask { [self] in
                    for await event in notifier.events {
                        // A question may stay open for minutes; other notes are answered meanwhile.
                        Task { await self.obey(event, core) }
                    }
                }
            }
            await group.waitForAll()
        }
        await notifier?.closeAll()
    }

    private func perform(_ job: Job, _ isHidden: inout Bool) async {
        switch job {
        case .announce(let card):
            let note = Note(
                summary: card.title, body: [card.bank, card.host], actions: [.review, .deny], urgency: .critical)
            guard await notifier?.show(key: card.reference, note: note) != true else { return }
            journal("a request waits for your decision; see it with: countersign pending")
        case .retract(let reference):
            await notifier?.close(key: reference)
        case .hide(let waiting):
            if !isHidden { await notifier?.closeAll() }
            isHidden = true
            guard let waiting, waiting > 0 else {
                await notifier?.close(key: Self.lockedKey)
                return
            }
            let words =
                waiting == 1 ? "1 request waits for your decision" : "\(waiting) requests wait for your decision"
            let note = Note(
                summary: DisplayText("Countersign is locked"), body: [DisplayText(words)], actions: [.review])
            guard await notifier?.show(key: Self.lockedKey, note: note) != true else { return }
            journal("locked; \(words); unlock it with: countersign unlock")
        case .unhide:
            isHidden = false
            await notifier?.close(key: Self.lockedKey)
        }
    }

    private func obey(_ event: NotifierEvent, _ core: AgentCore) async {
        do {
            switch event {
            case .review(let key): try await core.review(key)
            case .deny(let key): try await core.deny(key)
            case .dismissed: break
            }
        } catch {
            let failure = Failure(error)
            guard failure.kind != .cancelled else { return }
            let note = Note(
                summary: DisplayText("Countersign could not do that"),
                body: [failure.message, failure.hint].compactMap { $0 }.map {
                    DisplayText(shown: $0) ?? DisplayText($0)
                },
                actions: [])
            _ = await notifier?.show(key: Self.failureKey, note: note)
        }
    }
}
