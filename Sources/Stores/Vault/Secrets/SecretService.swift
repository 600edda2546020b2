import Basics
import CSecret
import Glibc
import Cryptography
package import Keys
import Synchronization

/// The freedesktop.org Secret Service (gnome-keyring, KeePassXC, KWallet) on the session bus, through libsecret.
///
/// Each wait is limited: the service has 15 seconds for an answer, the person two minutes at its prompt. Calls throw
/// `SecretServiceError`, whose reason names the missing part. Calls from several threads run one after the other.
package final class SecretService: Sendable {
    /// Runs around each window of the keyring. `wait` shows the window and returns when it was answered. Throwing
    /// before `wait` is called prevents the window.
    package typealias Waiting = @Sendable (KeyringQuestion, Keyring, _ wait: () throws -> Void) throws -> Void

    struct Policy: Sendable {
        /// The names of the secrets that the providers declare. Only items of these kinds are secrets of connections.
        var secrets: [String] = []
        var allowsPrompt: Bool
        var answerWithin: Double
        var promptWithin: Double
        var waiting: Waiting = { _, _, wait in try wait() }
    }

    private let policy: Policy
    private let connection = Mutex<ServiceConnection?>(nil)

    /// With `allowsPrompt` the service may ask the person in windows of its own. Without it, a call that needs such a
    /// window throws `locked` or `noCollection` at once, except where `open` allows one. `secrets`: the names of the secrets that
    /// providers declare; without a name, a connection's secret of that name is neither stored nor found.
    package convenience init(
        allowsPrompt: Bool, secrets: [String] = [], waiting: @escaping Waiting = { _, _, wait in try wait() }
    ) {
        self.init(
            Policy(
                secrets: secrets, allowsPrompt: allowsPrompt, answerWithin: 15, promptWithin: 120, waiting: waiting))
    }

    /// The names of connections' secrets.
    var secrets: [String] { policy.secrets }

    init(_ policy: Policy) {
        self.policy = policy
    }

    /// Checks that the service is there, with a default collection that is unlocked (or that the person can be asked to
    /// unlock), and returns which program it is.
    @discardableResult
    package func check() throws -> Keyring {
        try perform { connection in
            _ = try connection.defaultCollection()
            return connection.keyring
        }
    }

    /// As `check`, before the first item is stored. When there is no default collection, the service asks the person to
    /// create one.
    package func prepare() throws {
        try perform { _ = try $0.defaultCollection(isMade: true) }
    }

    /// Asks the person to unlock all items of a vault at once, so that reading them opens no window later. Does nothing
    /// unless the service may ask: with `allowsPrompt`, or while `KeyringWindows.areAllowed`.
    func open(_ vault: String) throws {
        guard policy.allowsPrompt || KeyringWindows.areAllowed else { return }
        try perform { try $0.open(vault) }
    }

    /// Nil if there is no such item. If the returned secret cannot be decrypted, throws `damaged`, or
    /// `deviceSecretDamaged` for that item.
    func load(_ name: ItemName) throws -> LockedBytes? {
        do { return try perform { try $0.load(name) } } catch let error as SecretServiceError
            where error.kind == .damaged
        {
            var named = SecretServiceError.damaged(name.kind, "it cannot be decrypted")
            named.keyring = error.keyring
            throw named
        }
    }

    /// The content of a sealed item. It is empty, which no seal opens, if the returned secret cannot be decrypted.
    func loadSealed(_ name: ItemName) throws -> [UInt8]? {
        do { return try load(name)?.withBytes { Array($0) } } catch let error as SecretServiceError
            where error.kind == .damaged
        {
            return []
        }
    }

    /// The items of a vault, or those of one kind, in one call, which takes little longer than for one item. Where a
    /// secret cannot be read, the result says why.
    func loadAll(
        of vault: String, _ kind: ItemName.Kind? = nil
    ) throws -> [(name: ItemName, secret: Result<LockedBytes, any Error>)] {
        var attributes = ["vault": vault]
        if let kind { (attributes["xdg:schema"], attributes["kind"]) = (kind.schema, kind.text) }
        return try perform { try $0.loadAll(attributes) }.map { item in
            guard case .failure(let error as SecretServiceError) = item.secret, error.kind == .damaged else {
                return item
            }
            // A request for this item alone opens a new session. So damage is not confused with two ends that lack a
            // common key.
            return (item.name, Result { try load(item.name) }.flatMap { $0.map(Result.success) ?? item.secret })
        }
    }

    func store(_ secret: any Secret, as name: ItemName) throws {
        try secret.withBytes { bytes in try perform { try $0.store(bytes, as: name) } }
    }

    func store(_ sealed: [UInt8], as name: ItemName) throws {
        // The array's memory is used within the call only; `store` copies it.
        try sealed.withUnsafeBytes { bytes in try perform { try $0.store(bytes, as: name) } }
    }

    /// Stores items on which the vault relies from now on: reads each back, and waits until a keyring that writes its
    /// file later has done so. Throws `refused` if the keyring returns anything else than it was given.
    func storeLasting(_ items: [(ItemName, any Secret)]) throws {
        try perform { connection in
            for (name, secret) in items {
                try secret.withBytes { try connection.store($0, as: name) }
                guard try connection.load(name)?.equals(secret) == true else {
                    throw SecretServiceError(
                        .refused(), "the keyring did not keep a \(name.kind.words); nothing relies on it")
                }
            }
            switch connection.keyring {
            case .kwallet:
                // Noted after the last item was stored, so the next change of a file has all of them.
                let files = KWalletFiles()
                try policy.waiting(.write, .kwallet) { files.awaitChange(Self.writesWithin) }
            case .keepassxc: try policy.waiting(.write, .keepassxc) { usleep(Self.patience) }
            case .gnomeKeyring, .other: break
            }
        }
    }

    /// KWallet writes 5 to 8 seconds after the last change.
    private static let writesWithin = 12.0
    /// KeePassXC saves its database after each change, as it does by default, which takes the second or so that deriving its key takes.
    /// No interface names the file, so nothing shows when that is done. In microseconds.
    private static let patience: UInt32 = 3_000_000

    /// The names of all items of a vault.
    func names(in vault: String) throws -> Set<ItemName> { try perform { try $0.names(["vault": vault]) } }

    /// Deletes an item, if it is there.
    func delete(_ name: ItemName) throws {
        try perform { try $0.delete(name.attributes) }
    }

    func deleteAll(_ kind: ItemName.Kind, of vault: String) throws {
        try perform { try $0.delete(["xdg:schema": kind.schema, "vault": vault, "kind": kind.text]) }
    }

    func deleteAll(of vault: String) throws {
        try perform { try $0.delete(["vault": vault]) }
    }

    /// Runs `work` on the connection that was kept, or on a new one when there is none or the service was restarted.
    private func perform<R: Sendable>(_ work: (ServiceConnection) throws -> R) throws -> R {
        try connection.withLock { kept in
            if kept?.isAlive() != true { kept = nil }
            Self.letGLibFinish()
            do {
                return try Self.attempt(work, on: &kept, policy)
            } catch let error as SecretServiceError where error.kind == .damaged {
                // KWallet at times agrees on another session key than its client. A new session distinguishes that from
                // damage.
                kept = nil
                return try Self.attempt(work, on: &kept, policy)
            }
        }
    }

    private static func attempt<R: Sendable>(
        _ work: (ServiceConnection) throws -> R, on kept: inout sending ServiceConnection?, _ policy: Policy
    ) throws -> R {
        let open = try kept ?? ServiceConnection(policy)
        kept = open
        do {
            return try work(open)
        } catch var error as SecretServiceError {
            error.keyring = open.keyring
            throw error
        }
    }

    /// Runs the work that GLib left for the main context, which no thread of this program runs: the ends of objects,
    /// and the end of a connection whose bus is gone. Until then, GLib returns the dead connection to every caller.
    private static func letGLibFinish() {
        guard csecret_load() == nil else { return }
        while glib().g_main_context_iteration(nil, 0) != 0 {}
    }
}
