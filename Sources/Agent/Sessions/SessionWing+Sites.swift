public import Basics
public import Sessions

extension SessionWing {
    public func addSite(
        _ new: NewSite, pin: any Secret, from source: PINSource, for caller: CallerContext
    ) async throws -> OneSitePayload {
        // Ask the service first, so that the site is bound at once after the PIN.
        let offer = try await demandAtHand(for: caller).offer(new)
        let (sessions, proof) = try await proved(pin, source, caller)
        return try sessions.bind(offer, by: proof)
    }
}
