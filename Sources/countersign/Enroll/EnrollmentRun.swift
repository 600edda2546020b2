import Approvals
import Basics
import Dialogue

/// Carries the dialogue of an enrollment: its question to the person, the bank's page to the browser, and redirects to the steps.
struct EnrollmentRun {
    let steps: any EnrollmentSteps
    let callback: any BrowserCallback
    /// Begins the dialogue about this offer.
    let dialogue: (EnrollmentOfferPayload) -> PageDialogue<ConnectionPayload>
    let answer: (Ask) throws -> Answer
    /// Called for each redirect that did not prove good while the wait goes on.
    let notice: (Failure) -> Void

    /// Returns the new connection; always closes the callback.
    func run() async throws -> ConnectionPayload {
        do {
            let connected = try await walk()
            await callback.close()
            return connected
        } catch {
            await steps.abandon()
            await callback.close()
            throw error
        }
    }

    private func walk() async throws -> ConnectionPayload {
        let offer = try await Terminal.saying("Asking the bank") { try await steps.begin() }
        var dialogue = self.dialogue(offer)
        var next = dialogue.next()
        while true {
            switch next {
            case .ask(let ask): next = dialogue.next(.answer(try answer(ask)))
            case .accept:
                let made = try await steps.accept(returnURL: callback.returnURL)
                let page: PageDialogue<ConnectionPayload>.Event? = made.page.map { .page($0) }
                next = dialogue.next(made.connection.map { .done($0) } ?? page)
            case .open(let page):
                try await callback.open(page)
                next = dialogue.next(.opened)
            case .wait(let failure):
                if let failure { notice(failure) }
                next = dialogue.next(try await redirected())
            case .done(let connection): return connection
            case .end(let error): throw error
            }
        }
    }

    private func redirected() async throws -> PageDialogue<ConnectionPayload>.Event {
        guard let incoming = try await callback.next() else { return .silence(hasInput: !callback.hasInputEnded) }
        let verdict: RedirectVerdict
        do {
            verdict = try await steps.take(incoming.address)
        } catch {
            await incoming.answer(.notAccepted)
            throw error
        }
        let isLocked = verdict.error?.failure.kind == .locked
        await incoming.answer(verdict.connection != nil ? .accepted : isLocked ? .locked : .notAccepted)
        return verdict.connection.map { .done($0) } ?? .redirect(verdict.error?.failure)
    }
}
