import Basics
import Client
import Dialogue
import SessionModel
import Sessions
import Synchronization

/// Carries the dialogue of a login: its question to the person, the issuer's page to the browser, and redirects to the steps.
struct LoginRun {
    enum Way {
        /// The issuer's page leads the browser back.
        case browser((LoginOfferPayload) async throws -> PageCallback)
        /// The person enters a code on the issuer's page, within these minutes.
        case device(minutes: Double)
    }

    typealias Dialogue = PageDialogue<SignedInPayload>

    let login: any LoginSteps
    /// Begins the dialogue about this offer.
    let dialogue: (LoginOfferPayload) -> Dialogue
    let answer: (Ask) async throws -> Answer
    let way: Way
    /// Whether a signal ends the login, so that nothing is left of it, and then this process: of a command.
    var endsBySignal = false

    /// The parts to close at the end.
    private struct Open {
        var callback: PageCallback?
        var signals: LoginSignals?
        /// Ends the wait for a redirect when somebody else ended the login.
        var watching: Task<Void, Never>?
    }

    /// Returns the session. Throws at the first definite no, and at the end of the wait.
    func run() async throws -> SignedInPayload {
        var open = Open()
        do {
            let signedIn = try await walk(&open)
            await close(open)
            open.signals?.letGo()
            return signedIn
        } catch {
            await close(open)
            await open.signals?.letGoUnlessEnding()
            await login.abandon()
            throw error
        }
    }

    private func close(_ open: Open) async {
        open.watching?.cancel()
        await open.callback?.close()
    }

    private func walk(_ open: inout Open) async throws -> SignedInPayload {
        let offer =
            endsBySignal
            ? try await Terminal.saying("Looking for the issuer") { try await login.begin() } : try await login.begin()
        let loss = Mutex<(any Error)?>(nil)
        var dialogue = self.dialogue(offer)
        var next = dialogue.next()
        while true {
            switch next {
            case .ask(let ask): next = dialogue.next(.answer(try await answer(ask)))
            case .accept:
                if endsBySignal { open.signals = LoginSignals(ending: login) }
                next = dialogue.next(try await accepted(offer, &open))
            case .open(let page):
                try await open.callback?.open(page)
                open.watching = watching(open.callback) { error in loss.withLock { $0 = error } }
                next = dialogue.next(.opened)
            case .wait:
                guard let callback = open.callback else {
                    next = dialogue.next(.done(try await login.awaitDevice()))
                    continue
                }
                next = dialogue.next(try await redirected(callback, open.signals))
            case .done(let signedIn): return signedIn
            case .end(let error): throw loss.withLock(\.self) ?? error
            }
        }
    }

    private func accepted(_ offer: LoginOfferPayload, _ open: inout Open) async throws -> Dialogue.Event {
        switch way {
        case .browser(let makeCallback):
            let callback = try await makeCallback(offer)
            open.callback = callback
            return .page(try await login.accept(returnURL: callback.returnURL))
        case .device(let minutes):
            let code = try await login.acceptDevice(within: .seconds(60 * minutes))
            return .code(DeviceCard(code, agreed: offer.hosts))
        }
    }

    private func watching(
        _ callback: PageCallback?, _ lost: @escaping @Sendable (any Error) -> Void
    ) -> Task<Void, Never> {
        Task { [login] in
            do { try await login.awaitLoss() } catch {
                lost(error)
                callback?.endWait()
            }
        }
    }

    private func redirected(_ callback: PageCallback, _ signals: LoginSignals?) async throws -> Dialogue.Event {
        guard let incoming = try await callback.next() else { return .silence(hasInput: !callback.hasInputEnded) }
        // A code works only once, so a signal waits for its result.
        signals?.wait(true)
        do {
            let signedIn = try await login.take(incoming.address)
            // Any page can send an address that is not of this login.
            await incoming.answer(signedIn == nil ? .notAccepted : .accepted)
            if let signedIn { return .done(signedIn) }
            signals?.wait(false)
            return .redirect(nil)
        } catch {
            await incoming.answer(.notAccepted)
            throw error
        }
    }
}
