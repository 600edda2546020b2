import Basics
import Dialogue
import Sessions

extension Context {
    /// Shows a site's card, has `confirm` check it, and adds the site with the PIN. Asks for the PIN after the card, and also
    /// before it to open the sessions, unless an agent has them at hand.
    func withPINForSite(
        _ wish: Sites.Wish, _ confirm: (SiteOfferPayload) throws -> Void
    ) async throws -> OneSitePayload {
        guard try gate.status().isSet else { throw PINError(.notSet) }
        if options.effectivePINFile == nil, let agent = try agent() {
            if agent.handshake.sessions != .atHand { try await unlock(agent, for: .agent) }
            let sessions = agent.operations.sessions
            return try await bind(wish, in: sessions, confirm)
        }
        // The PIN that opens the vault is typed before the card is shown, so it is asked for once more.
        return try await withOwnSessions { try await bind(wish, in: $0, confirm) }
    }

    private func bind(
        _ wish: Sites.Wish, in sessions: any SessionOperations, _ confirm: (SiteOfferPayload) throws -> Void
    ) async throws -> OneSitePayload {
        let offer = try await sessions.siteOffer(wish)
        let recap = try show(offer.facts)
        try confirm(offer)
        var shown = wish
        shown.session = offer.offer.session
        let new = NewSite(shown, proof: offer.proof)
        return try await withPIN(for: .site(offer.facts), recap: recap) {
            try await sessions.addSite(new, pin: .typed($0, from: $1))
        }
    }
}
