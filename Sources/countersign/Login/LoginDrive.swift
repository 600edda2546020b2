import Basics
import Sessions

/// Leads a person through a login: the question about the hosts, the issuer's page, and the wait for what comes of it.
struct LoginDrive {
    enum Way {
        /// The issuer's page leads the browser back.
        case browser((LoginOffer) async throws -> any BrowserCallback)
        /// The person enters a code on the issuer's page, within these minutes.
        case device(minutes: Double)
    }

    let login: Login
    /// Asks the person before anything is made at the issuer.
    let confirm: (LoginOffer) throws -> Bool
    let way: Way

    /// Returns the session. Throws at the first definite no, and at the end of the wait.
    func run() async throws -> (SignIn, ProfileNews) {
        let offer = try await login.begin()
        guard try confirm(offer) else { throw SessionError.declined }
        do {
            return try await run(offer)
        } catch {
            await login.abandon()
            throw error
        }
    }

    private func run(_ offer: LoginOffer) async throws -> (SignIn, ProfileNews) {
        switch way {
        case .browser(let callback): return try await run(try await callback(offer))
        case .device(let minutes):
            DeviceNotice.show(try await login.acceptDevice())
            return try await login.awaitDevice(.seconds(60 * minutes))
        }
    }

    private func run(_ callback: any BrowserCallback) async throws -> (SignIn, ProfileNews) {
        do {
            try await callback.open(try await login.accept(redirectURI: callback.returnURL))
            let session = try await wait(callback)
            await callback.close()
            return session
        } catch {
            await callback.close()
            throw error
        }
    }

    private func wait(_ callback: any BrowserCallback) async throws -> (SignIn, ProfileNews) {
        while let incoming = try await callback.next() {
            do {
                switch try await login.take(incoming.address) {
                // Any page can send one.
                case .notOurs: await incoming.answer(false)
                case .signedIn(let session, let news):
                    await incoming.answer(true)
                    return (session, news)
                }
            } catch {
                await incoming.answer(false)
                throw error
            }
        }
        throw SessionError.waitOver
    }
}
