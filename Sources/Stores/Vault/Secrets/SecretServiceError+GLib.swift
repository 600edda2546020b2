import Basics
import CSecret
import Keys

extension SecretServiceError {
    /// Describes an error of GIO or libsecret in our words. Of the original message only the service's own text is
    /// kept.
    init(_ error: UnsafeMutablePointer<GError>) {
        let (domain, code) = (error.pointee.domain, error.pointee.code)
        // GIO's code for D-Bus errors that it does not know.
        let isRemote = domain == glib().g_io_error_quark() && code == Int32(bitPattern: G_IO_ERROR_DBUS_ERROR.rawValue)
        if domain == glib().g_io_error_quark(), code == Int32(bitPattern: G_IO_ERROR_CANCELLED.rawValue) {
            self = .noAnswer
        } else if domain == glib().g_io_error_quark(), !isRemote {
            self.init(
                .noBus, "the session bus cannot be reached (\(Self.remoteName(of: error) ?? "GIO error \(code)"))")
        } else if domain == glib().secret_error_get_quark(), code == Int32(bitPattern: SECRET_ERROR_IS_LOCKED.rawValue)
        {
            self = .isLocked
        } else if domain == glib().secret_error_get_quark(), code == Int32(bitPattern: SECRET_ERROR_PROTOCOL.rawValue) {
            self = .isUndecodable
        } else if domain == glib().g_dbus_error_quark(), Self.nobodyThere.contains(code) {
            self = .noService
        } else if domain == glib().g_dbus_error_quark(), Self.tooLate.contains(code) {
            self = .noAnswer
        } else {
            let name = Self.remoteName(of: error) ?? "error \(code)"
            self.init(.refused(Self.remoteText(of: error)), "the Secret Service refused (\(name))")
        }
    }

    static let noBus = SecretServiceError(
        .noBus, "there is no session bus: DBUS_SESSION_BUS_ADDRESS is not set and XDG_RUNTIME_DIR has no bus")
    static let noService = SecretServiceError(
        .missing, "no Secret Service: nothing on the session bus owns org.freedesktop.secrets")
    /// KWallet refused a session: its cryptography is a plugin of QCA, which Debian's package does not demand.
    static func noCipher(_ said: BankText?) -> SecretServiceError {
        var error = SecretServiceError(
            .noCipher(said), "KWallet cannot encrypt what it sends; its plugin for that is probably not installed")
        error.keyring = .kwallet
        return error
    }
    static let noCollection = SecretServiceError(.noCollection, "the Secret Service has no default collection")
    static let isLocked = SecretServiceError(.locked, "the default collection of the Secret Service is locked")
    /// A secret came that cannot be decrypted: the item is damaged, or the two ends do not have the same session key.
    static let isUndecodable = SecretServiceError(
        .damaged, "an item in the keyring is damaged: what the keyring returned cannot be decrypted")
    /// An item that differs from the stored value. `found`: describes the item instead.
    static func damaged(_ kind: ItemName.Kind, _ found: String) -> SecretServiceError {
        switch kind {
        case .deviceSecret:
            SecretServiceError(
                .deviceSecretDamaged,
                "this vault's device secret in the keyring is damaged (\(found)), so no PIN opens it; no try was counted"
            )
        case .ofConnection:
            SecretServiceError(.damaged, "the keyring's \(kind.words) for this connection is damaged (\(found))")
        case .logHead, .tries, .rescue:
            SecretServiceError(.damaged, "the keyring's \(kind.words) is damaged (\(found))")
        }
    }
    static func damaged(_ kind: ItemName.Kind, count: Int) -> SecretServiceError {
        damaged(kind, count == 0 ? "it is empty" : "it is not what was stored there")
    }
    static let mayNotRead = SecretServiceError(
        .locked, "the keyring has not allowed this program to read its items")
    static let mayNotDelete = SecretServiceError(.locked, "the keyring deletes no item without asking")
    /// The person closed the keyring's window.
    static func dismissed(_ question: KeyringQuestion) -> SecretServiceError {
        let outcome =
            switch question {
            case .unlock: "its collection stays locked"
            case .access: "this program may not read its items"
            case .create: "it still has no default collection"
            case .delete: "an item stays"
            case .write: "its file may not be written yet"
            }
        // Of a wrong password a keyring says no more than of a window that was closed.
        let cause =
            question == .unlock
            ? "the keyring's prompt was closed, or the password was wrong" : "the keyring's prompt was closed"
        return SecretServiceError(.dismissed, "\(cause), so \(outcome)")
    }
    static let noAnswer = SecretServiceError(.refused(), "the Secret Service did not answer in time")

    private static let nobodyThere = Set(
        [
            G_DBUS_ERROR_SERVICE_UNKNOWN, G_DBUS_ERROR_NAME_HAS_NO_OWNER, G_DBUS_ERROR_SPAWN_EXEC_FAILED,
            G_DBUS_ERROR_SPAWN_FORK_FAILED, G_DBUS_ERROR_SPAWN_CHILD_EXITED, G_DBUS_ERROR_SPAWN_CHILD_SIGNALED,
            G_DBUS_ERROR_SPAWN_FAILED, G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND,
        ].map { Int32(bitPattern: $0.rawValue) })
    private static let tooLate = Set(
        [G_DBUS_ERROR_NO_REPLY, G_DBUS_ERROR_TIMEOUT, G_DBUS_ERROR_TIMED_OUT].map { Int32(bitPattern: $0.rawValue) })

    /// The text that came with an error over the bus.
    private static func remoteText(of error: UnsafeMutablePointer<GError>) -> BankText? {
        // Removes GIO's prefix with the D-Bus name in place. False when there was none: then the service did not send
        // the error.
        guard glib().g_dbus_error_strip_remote_error(error) != 0, let text = error.pointee.message else { return nil }
        return BankText(String(cString: text))
    }

    /// The D-Bus name of an error that came over the bus, letters, digits, dots and underscores only.
    private static func remoteName(of error: UnsafeMutablePointer<GError>) -> String? {
        guard let name = glib().g_dbus_error_get_remote_error(error) else { return nil }
        // The name is a copy of ours: read, then freed.
        defer { glib().g_free(name) }
        return String(cString: name).filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "_") }
    }
}
