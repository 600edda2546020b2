import Basics
import CSecret
import Cryptography
import Keys

extension ServiceConnection {
    /// Deletes all items with these attributes, if there are any.
    func delete(_ attributes: [String: String]) throws {
        for item in try find(attributes) {
            if keyring == .keepassxc { try wipe(item) } else { try delete(item) }
        }
    }

    /// Destroys KeePassXC's copies of an item. KeePassXC moves a deleted entry to a recycle bin, together with its
    /// earlier contents. So this overwrites the content until the earlier ones are gone, and changes the attributes so
    /// that no search finds the entry, whether or not the person then allows its deletion.
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
        // A failure here (the person may refuse) leaves an entry whose content is destroyed already.
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
