public import Basics
public import Sessions

extension SocketSessions {
    public func addSite(_ new: NewSite, pin: EnteredPIN) async throws -> OneSitePayload {
        try await client.ask(SiteVerbs.add, new, pin: try pin.typed())
    }
}
