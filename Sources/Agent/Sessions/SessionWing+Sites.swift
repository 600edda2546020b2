public import Basics
public import Sessions

extension SessionWing {
    public func addSite(
        _ new: NewSite, pin: any Secret, from source: PINSource, for caller: CallerContext
    ) async throws -> OneSitePayload {
        // The service is asked first: what the PIN says yes to is bound at once.
        let offer = try await demandAtHand(for: caller).offer(new)
        return try await proved(pin, source, caller).bind(offer)
    }
}
