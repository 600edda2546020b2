import Display
public import Sessions

// Questions of the second job besides grants and logins.

extension Question {
    /// Whether a service gets tokens although it does not say which issuer it belongs to.
    public static func vouch(for offer: SiteOfferPayload) -> Question {
        let words = offer.unsaid
        return Question(
            [words + ". Continue?"], unasked: words + ": there is nobody to confirm it",
            headline: "Send tokens to this service?",
            [Fact("Service", DisplayText(answered: offer.offer.rule)), Fact(DisplayText(answered: words))],
            ok: "Send tokens")
    }
}
