public import Display

/// What a pinentry asks, which may stand far from the terminal or script that asks. `asker`: the process that does, and what
/// started it.
extension PinentryQuestion {
    public static func unlock(_ asker: DisplayText) -> PinentryQuestion {
        PinentryQuestion("Enter your PIN to open your bank connections", details: [asker])
    }

    public static func approve(_ card: Card, _ asker: DisplayText) -> PinentryQuestion {
        PinentryQuestion(
            "Enter your PIN to approve what a bank asks", details: details(of: card, asker), ok: "Approve")
    }

    public static func deny(_ card: Card, _ asker: DisplayText) -> PinentryQuestion {
        PinentryQuestion("Deny what a bank asks?", details: details(of: card, asker), ok: "Deny")
    }

    /// Fingerprint and asker before the bank's words, however long those are.
    private static func details(of card: Card, _ asker: DisplayText) -> [DisplayText] {
        [DisplayText("Fingerprint: \(card.fingerprint.short)"), asker, card.bank, card.host, card.title]
    }
}
