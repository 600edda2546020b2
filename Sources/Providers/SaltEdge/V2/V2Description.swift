import Basics
import ApprovalModel

/// The structured description of v2, as parts in the order in which they are shown (saltedge-v2 section 8.3). Values
/// are shown as they were received. Members that the protocol does not define are shown as hidden, after the object
/// that they belong to.
enum V2Description {
    static let payment = [
        "payee", "amount", "account", "payment_date", "reference", "fee", "exchange_rate", "description",
    ]
    static let extra = ["action_date", "device", "location", "ip"]

    static func parts(_ description: JSON, of id: BankID) throws(ItemFault) -> [AuthorizationContent.Part] {
        let members = try description.members(of: id)
        var parts: [AuthorizationContent.Part] = []
        if let html = text(members, "html") { parts.append(.html(html)) }
        parts += try labelled(members, "payment", payment, of: id, AuthorizationContent.Part.payment)
        if let text = text(members, "text") { parts.append(.text(text)) }
        parts += try labelled(members, "extra", extra, of: id, AuthorizationContent.Part.extra)
        return parts + members.unknown(besides: ["html", "payment", "text", "extra"])
    }

    /// A member's text, or its JSON text when it is not a string; nil when it is absent, null or empty.
    private static func text(_ members: JSON.Members, _ name: String) -> BankText? {
        guard let text = members[name]?.shown, !text.isEmpty else { return nil }
        return BankText(text)
    }

    private static func labelled(
        _ description: JSON.Members, _ name: String, _ order: [String], of id: BankID,
        _ part: ([LabelledText]) -> AuthorizationContent.Part
    ) throws(ItemFault) -> [AuthorizationContent.Part] {
        guard let object = description[name] else { return [] }
        guard object.members != nil else { return text(description, name).map { [.text($0)] } ?? [] }
        let members = try object.members(of: id)
        let lines = order.compactMap { key in text(members, key).map { LabelledText(key: key, value: $0) } }
        return (lines.isEmpty ? [] : [part(lines)]) + members.unknown(besides: Set(order))
    }
}
