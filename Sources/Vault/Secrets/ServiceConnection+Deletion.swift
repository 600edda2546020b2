import Basics
import CSecret
import SCACrypto

extension ServiceConnection {
    /// Deletes all items with these attributes; none is not an error.
    func delete(_ attributes: [String: String]) throws {
        for item in try find(attributes) {
            if keyring == .keepassxc { try wipe(item) } else { try delete(item) }
        }
    }

    /// Destroys what KeePassXC keeps of an item. It moves deleted entries to a recycle bin, with the contents that they had
    /// before; so the content is written over until those are gone, and nothing finds the entry again, whether or not the person
    /// then lets it go.
    private func wipe(_ item: Object<SecretItem>) throws {
        for _ in 0...Self.keepassContents {
            try RandomBytes.make(32).withUnsafeBytes { try set($0, of: item) }
        }
        try Deadline.run(policy.answerWithin) { deadline in
            _ = try withTable(["vault": "none", "kind": "destroyed", "id": "none"]) { table in
                try throwing {
                    glib().secret_item_set_attributes_sync(item.pointer, nil, table, deadline, &$0)
                }
            }
            _ = try throwing {
                glib().secret_item_set_label_sync(item.pointer, "Countersign, destroyed", deadline, &$0)
            }
        }
        // Any failure here, a person's no among them, leaves an entry without its content: that is destroyed by now.
        try? delete(item)
    }

    /// How many earlier contents KeePassXC keeps of an entry, unless the database's settings say otherwise.
    private static let keepassContents = 10

    private func delete(_ item: Object<SecretItem>) throws {
        let paths = try call(Self.path(of: item), "org.freedesktop.Secret.Item", "Delete")
        guard let prompt = paths.first, prompt != "/" else { return }
        guard policy.allowsPrompt else { throw SecretServiceError.mayNotDelete }
        try self.prompt(prompt, .delete)
    }
}
