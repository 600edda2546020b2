package import Dialogue

/// Carries a `PageDialogue`: its questions to the person, the page to the browser, and redirects to the steps.
package struct PageRun<Result: Sendable> {
    private let steps: PageSteps<Result>
    private let answer: (Ask) async throws -> Answer
    private let wayBack: (() async throws -> PageCallback)?

    /// - Parameters:
    ///   - answer: puts a question to the person.
    ///   - wayBack: makes the way back from the page, once the person agreed; nil where they enter a code.
    package init(
        _ steps: PageSteps<Result>, answer: @escaping (Ask) async throws -> Answer,
        wayBack: (() async throws -> PageCallback)?
    ) {
        self.steps = steps
        self.answer = answer
        self.wayBack = wayBack
    }

    /// Throws at the first definite no, and at the end of the wait; then nothing is left of the undertaking.
    package func run(_ dialogue: PageDialogue<Result>) async throws -> Result {
        var callback: PageCallback?
        do {
            let result = try await walk(dialogue, &callback)
            await callback?.close()
            return result
        } catch {
            await callback?.close()
            await steps.abandon()
            throw error
        }
    }

    private func walk(_ dialogue: PageDialogue<Result>, _ callback: inout PageCallback?) async throws -> Result {
        var dialogue = dialogue
        var loss: Task<Void, Never>?
        defer { loss?.cancel() }
        var next = dialogue.next()
        while true {
            switch next {
            case .ask(let ask): next = dialogue.next(.answer(try await answer(ask)))
            case .accept:
                callback = try await wayBack?()
                next = dialogue.next(try await steps.accept(callback?.returnURL ?? ""))
            case .open(let page):
                try await callback?.open(page)
                loss = Task { [steps, callback] in
                    do { try await steps.awaitLoss() } catch { callback?.endWait(error) }
                }
                next = dialogue.next(.opened)
            case .wait(let failure):
                if let failure { callback?.report(failure) }
                next = dialogue.next(try await event(from: callback))
            case .done(let result): return result
            case .end(let error): throw error
            }
        }
    }

    private func event(from callback: PageCallback?) async throws -> PageSteps<Result>.Event {
        guard let callback else { return .done(try await steps.awaitCode()) }
        guard let incoming = try await callback.next() else { return .silence(hasInput: !callback.hasInputEnded) }
        do {
            let event = try await steps.take(incoming.address)
            await incoming.answer(event.outcome)
            return event
        } catch {
            await incoming.answer(.notAccepted)
            throw error
        }
    }
}
