import Approvals
import ApprovalModel
import Basics
import Client
import Dialogue
import WindowModel

/// Carries the dialogue of one enrollment at a time between the window, the agent and the browser.
@MainActor
final class Enrolling {
    enum News: Sendable {
        case asked(Question)
        case page(WebAddress, isOpened: Bool)
        case notice(Failure)
        case ended(Result<ConnectionPayload, Failure>)

        func event(of attempt: Int) -> AddingEvent {
            switch self {
            case .asked(let question): .asked(attempt: attempt, question)
            case .page(let page, let isOpened): .page(attempt: attempt, address: page.text, isOpened: isOpened)
            case .notice(let failure): .notice(attempt: attempt, failure)
            case .ended(let result): .ended(attempt: attempt, result)
            }
        }
    }

    typealias Tell = @MainActor @Sendable (News) -> Void

    private var run: Task<Void, Never>?
    private var asked: CheckedContinuation<Answer, Never>?
    private var callback: PageCallback?
    private var tell: Tell?
    /// The address that was pasted last. It may hold an access token, so it lives no longer than the enrollment.
    private var pasted: String?

    func begin(
        _ request: EnrollmentRequest, besides known: [ConnectionPayload], by agent: RunningAgent,
        _ tell: @escaping Tell
    ) {
        abandon()
        self.tell = tell
        run = Task {
            defer { if !Task.isCancelled { (callback, pasted) = (nil, nil) } }
            do {
                tell(.ended(.success(try await enroll(request, besides: known, by: agent, tell))))
            } catch {
                if !Task.isCancelled { tell(.ended(.failure(Failure(error)))) }
            }
        }
    }

    func answer(_ answer: Answer) {
        asked?.resume(returning: answer)
        asked = nil
    }

    /// Takes an address that the browser ended at.
    func paste(_ address: String) {
        guard let callback else { return }
        switch callback.paste(address) {
        case .taken: pasted = address
        case .broken(let reason): tell?(.notice(.usage(reason, hint: "copy the address anew")))
        case .foreign: tell?(.notice(Self.foreign))
        }
    }

    func abandon() {
        run?.cancel()
        answer(.no)
        (run, callback, tell, pasted) = (nil, nil, nil, nil)
    }

    // MARK: The dialogue

    @concurrent
    private nonisolated func enroll(
        _ request: EnrollmentRequest, besides known: [ConnectionPayload], by agent: RunningAgent, _ tell: @escaping Tell
    ) async throws -> ConnectionPayload {
        var (offer, steps) = try await agent.approvals.enroll(request)
        let take = steps.take
        steps.take = { [weak self] address in
            let event = try await take(address)
            if case .redirect(nil) = event { await self?.refused(address) }
            return event
        }
        let run = PageRun(steps) { [weak self] in
            await self?.answer(to: $0) ?? .no
        } wayBack: { [weak self] in
            let callback = try await PageCallback.bank(ofAgent: WindowShow(tell), minutes: 10)
            await self?.wait(at: callback)
            return callback
        }
        return try await run.run(
            PageDialogue(enrolling: offer, besides: known, isAgreed: false, before: .person(typesWords: true)))
    }

    private func wait(at callback: PageCallback) { if !Task.isCancelled { self.callback = callback } }

    /// An address that belongs to something else. Any page can send one, so only one that was pasted is worth a word.
    private func refused(_ address: String) { if address == pasted { tell?(.notice(Self.foreign)) } }

    private func answer(to ask: Ask) async -> Answer {
        guard case .yesNo(let question) = ask, !Task.isCancelled else { return .no }
        return await withCheckedContinuation {
            asked = $0
            tell?(.asked(question))
        }
    }

    private static let foreign = Failure.usage(
        "this is not the address that the bank's page led to", hint: "copy the whole address from the browser")
}

/// Opens the bank's page, and says whether a browser took it.
private struct WindowShow: PageShow {
    private let browser = LedBrowser()
    private let tell: Enrolling.Tell

    init(_ tell: @escaping Enrolling.Tell) { self.tell = tell }

    func show(_ page: WebAddress, for callback: PageCallback) async throws {
        let isOpened = try await browser.open(PageAddress(page))
        await tell(.page(page, isOpened: isOpened))
    }

    func report(_ failure: Failure) { Task { [tell] in await tell(.notice(failure)) } }

    func close() async { await browser.close() }
}
