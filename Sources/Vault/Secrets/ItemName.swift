import Basics

/// Names one item in the Secret Service: its vault, its kind and its id.
///
/// Everything that a keyring shows of an item is made from this, so nothing here may reveal a bank: ids are random or
/// fixed.
struct ItemName: Sendable, Hashable {
    enum Kind: String, Sendable, CaseIterable {
        case deviceSecret = "device-secret"
        case key, token
        case sharedSecret = "shared-secret"
        case logHead = "log-head"
        case tries
        case rescue

        /// The name that people know it by.
        var words: String { rawValue.replacing("-", with: " ") }

        /// The item's `xdg:schema`.
        var schema: String {
            switch self {
            case .deviceSecret: "org.countersign.DeviceSecret"
            case .key: "org.countersign.Key"
            case .token: "org.countersign.Token"
            case .sharedSecret: "org.countersign.SharedSecret"
            case .logHead: "org.countersign.LogHead"
            case .tries: "org.countersign.Tries"
            case .rescue: "org.countersign.Rescue"
            }
        }

        /// The item's name in a keyring manager.
        var label: String {
            switch self {
            case .deviceSecret: "Countersign device secret"
            case .key: "Countersign key"
            case .token: "Countersign token"
            case .sharedSecret: "Countersign shared secret"
            case .logHead: "Countersign log head"
            case .tries: "Countersign count of tries"
            case .rescue: "Countersign rescue"
            }
        }
    }

    var vault: String
    var kind: Kind
    var id: String

    static func deviceSecret(_ id: String = PINRecord.firstDeviceSecret, of vault: String) -> ItemName {
        .init(vault: vault, kind: .deviceSecret, id: id)
    }
    static func logHead(of vault: String) -> ItemName { .init(vault: vault, kind: .logHead, id: "head") }

    static func tries(of vault: String) -> ItemName { .init(vault: vault, kind: .tries, id: "count") }

    /// The name under which the item's content is sealed (associated data).
    var sealedAs: String { "\(kind.rawValue)/\(id)" }

    var attributes: [String: String] {
        ["xdg:schema": kind.schema, "vault": vault, "kind": kind.rawValue, "id": id]
    }
}
