import Basics
package import SessionModel

/// The result of asking an issuer's UserInfo.
package enum ProfileNews: Sendable, Equatable {
    /// There is nothing to ask: no UserInfo, or a session without a known person.
    case none
    /// Name and address are kept with the session.
    case kept
    /// It is about somebody else than the ID token. Nothing of it is kept (OpenID Connect Core 1.0 section 5.3.2).
    case ofAnother
    case failed(IssuerError)
}

/// Asks an issuer's UserInfo, and keeps its answer with the session.
struct ProfileAsking: Sendable {
    let service: any IssuerService
    let store: any SessionStore

    /// `token`: an access token of the session. Throws the store's errors.
    func ask(_ session: SignIn, with token: any Secret) async throws -> (SignIn, ProfileNews) {
        guard let subject = session.identity?.subject, session.issuer.userInfoEndpoint != nil else {
            return (session, .none)
        }
        let profile: UserProfile
        do throws(IssuerError) {
            profile = try await service.calling(session.issuer).userInfo(token, at: session.issuer)
        } catch {
            return (session, .failed(error))
        }
        guard profile.subject == subject else { return (session, .ofAnother) }
        let changed = try store.update(session.id) { session, _ in
            // Somebody else may have signed in meanwhile.
            guard session.identity?.subject == profile.subject else { return }
            session.identity = session.identity?.known(by: profile)
        }
        return (changed, .kept)
    }
}
