import Basics
import Sessions

/// Leads a person through a login: the question about the hosts, the issuer's page, and the wait for the address that it leads to.
struct LoginDrive {
    let login: Login
    /// Asks the person before anything is made at the issuer.
    let confirm: (LoginOffer) throws -> Bool
    let callback: (LoginOffer) async throws -> any BrowserCallback

    /// Returns the session. Throws at the first definite no, and at the end of the wait.
    func run() async throws -> SignIn {
        let offer = try await login.begin()
        guard try confirm(offer) else { throw SessionError.declined }
        let callback = try await callback(offer)
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

    private func wait(_ callback: any BrowserCallback) async throws -> SignIn {
        while let incoming = try await callback.next() {
            do {
                switch try await login.take(incoming.address) {
                // Any page can send one.
                case .notOurs: await incoming.answer(false)
                case .signedIn(let session):
                    await incoming.answer(true)
                    return session
                }
            } catch {
                await incoming.answer(false)
                throw error
            }
        }
        throw SessionError.waitOver
    }
}
