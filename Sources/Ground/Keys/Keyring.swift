/// The programs that serve the Secret Service. The program distinguishes them where the person has to click a different
/// button in each.
package enum Keyring: Sendable, CaseIterable {
    case gnomeKeyring, kwallet, keepassxc
    /// Any other program.
    case other

    /// The name that people know it by.
    package var name: String {
        switch self {
        case .gnomeKeyring: "GNOME Keyring"
        case .kwallet: "KWallet"
        case .keepassxc: "KeePassXC"
        case .other: "the Secret Service"
        }
    }
}

/// A wait that a keyring imposes on a command: usually a question to the person in the keyring's own window.
package enum KeyringQuestion: Sendable {
    /// The password of the default collection.
    case unlock
    /// Whether this program may read its items.
    case access
    /// Whether to create a default collection, where there is none yet.
    case create
    /// Whether an item may be deleted.
    case delete
    /// Nothing is asked; the keyring has not written its file yet.
    case write
}
