import SCA
import SCACrypto
import Synchronization

/// The freedesktop.org Secret Service (gnome-keyring, KeePassXC, KWallet) on the session bus, through libsecret.
///
/// Nothing here waits for ever: the service has 15 seconds for an answer, the person two minutes at its prompt. Calls
/// throw `SecretServiceError`, whose reason says what is missing. Calls from several threads run one after the other.
public final class SecretService: Sendable {
    struct Policy: Sendable {
        var allowsPrompt: Bool
        var answerWithin: Double
        var promptWithin: Double
    }

    private let policy: Policy
    private let connection = Mutex<ServiceConnection?>(nil)

    /// With `allowsPrompt` a locked collection makes the service ask the person; without, it is the error `locked` at
    /// once.
    public convenience init(allowsPrompt: Bool) {
        self.init(Policy(allowsPrompt: allowsPrompt, answerWithin: 15, promptWithin: 120))
    }

    init(_ policy: Policy) {
        self.policy = policy
    }

    /// Judges the service: throws unless it is there, with a default collection that is unlocked (or can be asked to
    /// be).
    public func check() throws {
        try perform { try $0.ready() }
    }

    func load(_ name: ItemName) throws -> LockedBytes? {
        try perform { try $0.load(name) }
    }

    /// The secrets of all items of one kind, by their ids.
    func loadAll(_ kind: ItemName.Kind, of vault: String) throws -> [String: LockedBytes] {
        try perform { try $0.loadAll(["xdg:schema": kind.schema, "vault": vault, "kind": kind.rawValue]) }
    }

    func store(_ secret: any Secret, as name: ItemName) throws {
        try secret.withBytes { bytes in try perform { try $0.store(bytes, as: name) } }
    }

    func store(_ sealed: [UInt8], as name: ItemName) throws {
        try sealed.withUnsafeBytes { bytes in try perform { try $0.store(bytes, as: name) } }
    }

    func ids(of kind: ItemName.Kind, in vault: String) throws -> Set<String> {
        try perform { try $0.ids(["xdg:schema": kind.schema, "vault": vault, "kind": kind.rawValue]) }
    }

    /// Not there is not an error.
    func delete(_ name: ItemName) throws {
        try perform { try $0.delete(name.attributes) }
    }

    func deleteAll(_ kind: ItemName.Kind, of vault: String) throws {
        try perform { try $0.delete(["xdg:schema": kind.schema, "vault": vault, "kind": kind.rawValue]) }
    }

    func deleteAll(of vault: String) throws {
        try perform { try $0.delete(["vault": vault]) }
    }

    /// Runs `work` on the kept connection, on a new one when there is none or the service was restarted since.
    private func perform<R: Sendable>(_ work: (ServiceConnection) throws -> R) throws -> R {
        try connection.withLock { kept in
            if let open = kept, open.isAlive() { return try work(open) }
            kept = nil
            let open = try ServiceConnection(policy)
            kept = open
            return try work(open)
        }
    }
}
