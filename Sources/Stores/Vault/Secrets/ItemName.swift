import Basics
import Keys

/// Names one item in the Secret Service: its vault, its kind and its id.
///
/// Everything that a keyring shows of an item is made from this, so nothing here may reveal a bank: ids are random or
/// fixed.
struct ItemName: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case deviceSecret
        /// A secret of a connection, by the name that its provider declares.
        case ofConnection(String)
        case logHead, tries, rescue

        /// Nil for a kind that is neither the vault's own nor declared by a provider: another program's, or a later release's.
        init?(_ text: String, declared: [String]) {
            let known = [.deviceSecret, .logHead, .tries, .rescue] + declared.map(Kind.ofConnection)
            guard let kind = known.first(where: { $0.text == text }) else { return nil }
            self = kind
        }

        var text: String {
            switch self {
            case .deviceSecret: "device-secret"
            case .ofConnection(let name): name
            case .logHead: "log-head"
            case .tries: "tries"
            case .rescue: "rescue"
            }
        }

        /// The name that people know it by.
        var words: String { text.replacing("-", with: " ") }

        /// The item's `xdg:schema`, such as `org.countersign.DeviceSecret`.
        var schema: String {
            "org.countersign." + text.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        }

        /// The item's name in a keyring manager.
        var label: String { "Countersign " + (self == .tries ? "count of tries" : words) }
    }

    var vault: String
    var kind: Kind
    var id: String

    static func deviceSecret(_ id: String = PINRecord.firstDeviceSecret, of vault: String) -> ItemName {
        .init(vault: vault, kind: .deviceSecret, id: id)
    }
    static func logHead(of vault: String) -> ItemName { .init(vault: vault, kind: .logHead, id: "head") }

    static func tries(of vault: String) -> ItemName { .init(vault: vault, kind: .tries, id: "count") }

    var isOfConnection: Bool {
        if case .ofConnection = kind { true } else { false }
    }

    /// The name under which the item's content is sealed (associated data).
    var sealedAs: String { "\(kind.text)/\(id)" }

    var attributes: [String: String] {
        ["xdg:schema": kind.schema, "vault": vault, "kind": kind.text, "id": id]
    }
}
