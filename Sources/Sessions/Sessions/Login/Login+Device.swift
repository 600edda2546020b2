import Basics
package import SessionModel

extension Login {
    /// Asks for a code that the person enters on a page of the issuer, on this or another computer (RFC 8628); registers this program first,
    /// if that is needed. Throws `SessionError`.
    package func acceptDevice() async throws -> DeviceCode {
        guard case .offered(let offered) = state else { throw SessionError.waitOver }
        var known = offered.client
        do throws(IssuerError) {
            let client: ClientRegistration
            if let known {
                client = known
            } else {
                // The device flow leads no browser to this address, but registrations require one.
                client = try await register("http://127.0.0.1/callback", forDevices: true, at: offered.issuer)
                known = client
            }
            let request = DeviceRequest(
                scopes: offered.scopes, resources: offered.resources, extras: offered.extras)
            let (attempt, taken) = try await asTaken(client, at: offered.issuer) {
                client async throws(IssuerError) in
                try await service.authorizeDevice(request, as: client, at: offered.issuer)
            }
            state = .polling(offered, taken, attempt)
            return attempt.code
        } catch {
            throw await refused(error, offered, known)
        }
    }

    /// Waits until the person has entered the code, at most this long, and signs in. A definite no ends the login.
    /// Throws `SessionError`, the store's errors, and `CancellationError`.
    package func awaitDevice(_ patience: Duration) async throws -> (SignIn, ProfileNews) {
        guard case .polling(let offered, let client, let attempt) = state else { throw SessionError.waitOver }
        state = .over
        let start = clock.moment()
        let codeEnd = start + .seconds(attempt.code.lifetime)
        var polling = DevicePolling(attempt.code)
        var step = polling.first
        while true {
            switch step {
            case .wait(let seconds):
                let next = clock.moment() + .seconds(seconds)
                guard next <= codeEnd else { throw SessionError.codeExpired }
                guard next <= start + patience else { throw SessionError.waitOver }
                try await clock.sleepUntil(next)
                step = polling.answered(await attempt.poll())
            case .take(let grant):
                return try await make(grant, by: attempt, offered, client)
            case .refuse(let rejection): throw await refused(.refused(rejection), offered, client)
            case .fail(let error): throw error
            }
        }
    }
}
