import SessionModel

extension LocalSessions {
    func bound(to session: SignIn) throws -> BoundToSession {
        BoundToSession(
            grants: try store.grants().filter { $0.session == session.id }.map(\.id),
            sites: try store.sites().filter { $0.session == session.id }.map(\.id.text))
    }
}
