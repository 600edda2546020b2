/// The two shapes of a description: v1 has text (plain or a page), v2 has an object.
enum DescriptionText {
    /// JSON text of a plain string or a page.
    static func stored(_ text: String) -> String { JSONValue.string(text).text }

    /// saltedge-v1 section 8.3: a string.
    static func v1(_ stored: String) -> String {
        guard let value = JSONValue(parsing: stored.utf8) else { return stored }
        if let text = value.string ?? value["text"]?.string ?? value["html"]?.string { return text }
        let payment = value["payment"]?.object ?? [:]
        return paymentMembers.compactMap { member in payment[member]?.scalarText.map { "\(member): \($0)" } }
            .joined(separator: "\n")
    }

    /// saltedge-v2 section 8.3: an object. A string becomes `text`, or `html` when it is a page.
    static func v2(_ stored: String) -> JSONValue {
        guard let value = JSONValue(parsing: stored.utf8) else { return ["text": .string(stored)] }
        guard let text = value.string else { return value }
        return isPage(text) ? ["html": .string(text)] : ["text": .string(text)]
    }

    private static func isPage(_ text: String) -> Bool {
        text.drop { $0.isWhitespace }.hasPrefix("<")
    }

    private static let paymentMembers = [
        "payee", "amount", "account", "payment_date", "reference", "fee", "exchange_rate", "description",
    ]
}
