import Authenticator
import Basics

/// Leads a person through an enrollment: the question about the hosts, the bank's page, and the wait for a redirect
/// that proves good.
struct EnrollmentRun {
    let steps: any EnrollmentSteps
    let callback: any BrowserCallback
    /// Asks the person before a key is made.
    let confirm: (EnrollmentOfferPayload) throws -> Bool
    /// Called for each redirect that did not prove good while the wait goes on.
    let notice: (Failure) -> Void

    /// Returns the new connection; always closes the callback. At the end of the wait, throws the failure of the last
    /// redirect, or `EnrollmentError.waitOver` or `noAddress` if there was none.
    func run() async throws -> ConnectionPayload {
        do {
            let connected = try await connect()
            await callback.close()
            return connected
        } catch {
            await steps.abandon()
            await callback.close()
            throw error
        }
    }

    private func connect() async throws -> ConnectionPayload {
        let offer = try await Terminal.saying("Asking the bank") { try await steps.begin() }
        guard try confirm(offer) else { throw EnrollmentError(.declined) }
        let next = try await steps.accept(returnURL: callback.returnURL)
        if let connection = next.connection { return connection }
        guard let page = next.page else { throw EnrollmentError(.waitOver) }
        try await callback.open(page)
        return try await wait()
    }

    /// Waits for redirects. A redirect that does not prove good does not end the wait, since any page can send one.
    private func wait() async throws -> ConnectionPayload {
        var last: Failure?
        while let incoming = try await callback.next() {
            let verdict = try await taking(incoming)
            await incoming.answer(Self.outcome(verdict))
            if let connection = verdict.connection { return connection }
            if let failure = verdict.error?.failure {
                notice(failure)
                last = failure
            }
        }
        throw last ?? EnrollmentError(callback.hasInputEnded ? .noAddress : .waitOver)
    }

    private static func outcome(_ verdict: RedirectVerdict) -> RedirectOutcome {
        if verdict.connection != nil { return .accepted }
        return verdict.error?.failure.kind == .locked ? .locked : .notAccepted
    }

    private func taking(_ incoming: IncomingRedirect) async throws -> RedirectVerdict {
        do {
            return try await steps.take(incoming.address)
        } catch {
            await incoming.answer(.notAccepted)
            throw error
        }
    }
}
