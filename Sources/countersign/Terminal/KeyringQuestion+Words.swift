import Basics
import Keys

extension KeyringQuestion {
    /// The question in the keyring's window, and the person's next step there.
    func words(_ keyring: Keyring) -> String {
        switch self {
        case .unlock: "\(keyring.heading) asks for its password in a window of its own"
        case .access:
            keyring == .keepassxc
                ? "KeePassXC asks in a window of its own whether this program may read its entries; leave Remember ticked"
                : "\(keyring.heading) asks in a window of its own whether this program may read its items"
        case .create where keyring == .kwallet:
            "KWallet keeps the keys, and has no wallet for them yet: choose one in its own window (classic, unless you use GPG), with a password that you will not lose"
        case .create:
            "\(keyring.heading) keeps the keys, and has no default keyring for them yet: choose its password in its own window, one that you will not lose"
        case .write: "\(keyring.heading) writes the keys to its file, which takes some seconds"
        case .delete: "\(keyring.heading) may ask in a window of its own before it deletes an item"
        }
    }
}

extension Keyring {
    fileprivate var heading: String { self == .other ? "The keyring" : name }
}
