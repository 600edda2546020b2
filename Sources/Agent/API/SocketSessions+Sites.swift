public import Basics
public import Sessions

extension SocketSessions {
    public func addSite(_ new: NewSite, pin: any Secret, from source: PINSource) async throws -> OneSitePayload {
        try await client.ask(SiteVerbs.add, new, pin: (pin, source))
    }
}
