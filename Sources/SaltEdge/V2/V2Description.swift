import SCA

/// The structured description of v2, as parts in the order in which they are shown (saltedge-v2 section 8.3). Values stay as
/// they were received; `extra` is last and always there; unknown members are ignored.
enum V2Description {
    static let payment = [
        "payee", "amount", "account", "payment_date", "reference", "fee", "exchange_rate", "description",
    ]
    static let extra = ["action_date", "device", "location", "ip"]

    static func parts(_ description: JSONScan) -> [AuthorizationContent.Part] {
        var parts: [AuthorizationContent.Part] = []
        if let html = text(description, "html") { parts.append(.html(html)) }
        parts += labelled(description, "payment", payment, AuthorizationContent.Part.payment)
        if let text = text(description, "text") { parts.append(.text(text)) }
        parts += labelled(description, "extra", extra, AuthorizationContent.Part.extra)
        return parts
    }

    /// A member's text, or the JSON text of what is no text; nil when it is absent, null or empty.
    private static func text(_ object: JSONScan, _ name: String) -> BankText? {
        guard let text = object.member(name)?.text, !text.isEmpty else { return nil }
        return BankText(text)
    }

    private static func labelled(
        _ description: JSONScan, _ name: String, _ order: [String],
        _ part: ([LabelledText]) -> AuthorizationContent.Part
    ) -> [AuthorizationContent.Part] {
        guard let object = description.member(name) else { return [] }
        guard object.isObject else { return text(description, name).map { [.text($0)] } ?? [] }
        let lines = order.compactMap { key in text(object, key).map { LabelledText(key: key, value: $0) } }
        return lines.isEmpty ? [] : [part(lines)]
    }
}
