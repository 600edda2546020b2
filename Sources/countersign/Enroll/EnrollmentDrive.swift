import Authenticator
import SCA

/// Leads a person through the steps of an enrollment: the question about the hosts, the bank's page, the wait for a
/// redirect that proves good.
struct EnrollmentDrive<Steps: EnrollmentSteps> {
    let steps: Steps
    let callback: any BrowserCallback
    /// Asks the person before a key exists.
    let confirm: (EnrollmentOffer) throws -> Bool
    /// Told of each redirect that did not prove good while the wait goes on.
    let notice: (any Error) -> Void

    /// Returns what was connected; ends the callback whatever happens. When the wait is over, throws what was wrong with
    /// the last redirect, else `EnrollmentError.waitOver`.
    func run() async throws -> Steps.Connected {
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

    private func connect() async throws -> Steps.Connected {
        guard try confirm(try await steps.begin()) else { throw EnrollmentError(.declined) }
        switch try await steps.accept(returnURL: callback.returnURL) {
        case .connected(let connected):
            return connected
        case .page(let page):
            try await callback.open(page)
            return try await wait()
        }
    }

    /// A redirect that does not prove good ends nothing, since any page can send one.
    private func wait() async throws -> Steps.Connected {
        var last: (any Error)?
        while let incoming = try await callback.next() {
            switch try await taking(incoming) {
            case .connected(let connected):
                await incoming.answer(true)
                return connected
            case .failed(let failure):
                await incoming.answer(false)
                notice(failure)
                last = failure
            case .notForUs:
                await incoming.answer(false)
            }
        }
        throw last ?? EnrollmentError(.waitOver)
    }

    private func taking(_ incoming: IncomingRedirect) async throws -> RedirectVerdict<Steps.Connected> {
        do {
            return try await steps.take(incoming.address)
        } catch {
            await incoming.answer(false)
            throw error
        }
    }
}
