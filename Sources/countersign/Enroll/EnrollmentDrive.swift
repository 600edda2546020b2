import Authenticator
import Basics

/// Leads a person through the steps of an enrollment: the question about the hosts, the bank's page, the wait for a
/// redirect that proves good.
struct EnrollmentDrive {
    let steps: any EnrollmentSteps
    let callback: any BrowserCallback
    /// Asks the person before a key exists.
    let confirm: (EnrollmentOfferPayload) throws -> Bool
    /// Told of each redirect that did not prove good while the wait goes on.
    let notice: (Failure) -> Void

    /// Returns what was connected; ends the callback whatever happens. When the wait is over, throws what was wrong with
    /// the last redirect, else `EnrollmentError.waitOver`.
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
        guard try confirm(try await steps.begin()) else { throw EnrollmentError(.declined) }
        let next = try await steps.accept(returnURL: callback.returnURL)
        if let connection = next.connection { return connection }
        guard let page = next.page else { throw EnrollmentError(.waitOver) }
        try await callback.open(page)
        return try await wait()
    }

    /// A redirect that does not prove good ends nothing, since any page can send one.
    private func wait() async throws -> ConnectionPayload {
        var last: Failure?
        while let incoming = try await callback.next() {
            let verdict = try await taking(incoming)
            await incoming.answer(verdict.connection != nil)
            if let connection = verdict.connection { return connection }
            if let failure = verdict.error?.failure {
                notice(failure)
                last = failure
            }
        }
        throw last ?? EnrollmentError(.waitOver)
    }

    private func taking(_ incoming: IncomingRedirect) async throws -> RedirectVerdict {
        do {
            return try await steps.take(incoming.address)
        } catch {
            await incoming.answer(false)
            throw error
        }
    }
}
