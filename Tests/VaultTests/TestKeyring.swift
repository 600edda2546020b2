import Basics
import Foundation
import Glibc
import Cryptography
import Keys
@testable import Vault

/// The Secret Service that Tests/Support/with-secret-service started around these tests.
enum TestKeyring {
    /// The names of the secrets that the tests keep.
    static let secrets = ["key", "token", "shared-secret"]

    struct Missing: Error, CustomStringConvertible {
        let description =
            "these tests need a Secret Service of their own: run them as Tests/Support/with-secret-service swift test"
    }

    /// Throws `Missing` rather than use a person's own keyring.
    static func service() throws -> SecretService {
        guard ProcessInfo.processInfo.environment["COUNTERSIGN_TEST_KEYRING_PID"] != nil else { throw Missing() }
        return SecretService(allowsPrompt: false, secrets: secrets)
    }

    /// What a keyring manager can see of all items of a vault: labels, attributes and content.
    static func everything(of vault: String) throws -> String {
        let tool = try Child(["sh", "-c", #"exec secret-tool search --all vault "$0" 2>&1"#, vault])
        let text = tool.readToEnd()
        // When it finds nothing, it prints nothing and exits with 0 or 1.
        guard tool.wait() == 0 || text.isEmpty else { throw Missing() }
        return text
    }

    /// Has an odd keyring (Tests/Support/odd-keyring) treat items of a kind like this from now on.
    static func order(_ kind: ItemName.Kind, _ how: String) throws {
        let tool = try Child([
            "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets", "/org/countersign/test",
            "org.countersign.Test.Order", "string:\(kind.text)", "string:\(how)",
        ])
        _ = tool.readToEnd()
        guard tool.wait() == 0 else { throw Missing() }
    }

    /// Locks the default collection by D-Bus.
    static func lock() throws {
        let tool = try Child([
            "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets",
            "org.freedesktop.Secret.Service.Lock", "array:objpath:/org/freedesktop/secrets/collection/login",
        ])
        _ = tool.readToEnd()
        guard tool.wait() == 0 else { throw Missing() }
    }
}

/// Another private bus, of another kind, for a child process to use. It ends with the last reference to this object, or
/// with this process.
final class PrivateBus: Sendable {
    let address: String
    let keyringPID: Int32
    private let command: Int32
    private let script: Child

    init(_ options: String...) throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let report = #"echo "$DBUS_SESSION_BUS_ADDRESS ${COUNTERSIGN_TEST_KEYRING_PID:-0} $$"; exec cat"#
        script = try Child([tests.path + "/Support/with-secret-service"] + options + ["sh", "-c", report])
        let words = script.readLine().split(separator: " ")
        guard words.count == 3, let keyring = Int32(words[1]), let command = Int32(words[2]) else {
            throw TestKeyring.Missing()
        }
        address = String(words[0])
        keyringPID = keyring
        self.command = command
    }

    /// The script ends its bus when its command has ended.
    deinit {
        kill(command, SIGKILL)
        _ = script.wait()
    }

    /// Makes `address` the session bus of this (child) process, before anything has looked for one.
    static func join(_ address: String) {
        setenv("DBUS_SESSION_BUS_ADDRESS", address, 1)
        setenv("COUNTERSIGN_TEST_KEYRING_PID", "of another bus", 1)
    }
}

// The secrets of the providers, as each of them declares its own.

extension SecretName where Value == any PrivateKey {
    static var key: SecretName { SecretName("key", .rsa) }
}

extension SecretName where Value == any Secret {
    static var token: SecretName { SecretName("token", .bytes) }
    static var shared: SecretName { SecretName("shared-secret", .bytes) }
}

extension ItemName.Kind {
    static let key = ItemName.Kind.ofConnection("key")
    static let token = ItemName.Kind.ofConnection("token")
    static let sharedSecret = ItemName.Kind.ofConnection("shared-secret")
}

extension SecretService {
    func ids(of kind: ItemName.Kind, in vault: String) throws -> Set<String> {
        Set(try names(in: vault).filter { $0.kind == kind }.map(\.id))
    }
}

extension KeyStore {
    func makeKey() throws -> any PrivateKey { try RSAPrivateKey.generate(bits: 2048) }

    func store(_ key: any PrivateKey, token: any Secret, as id: KeyID) throws {
        try store(EnrolledSecrets().with(.key, key).with(.token, token), as: id)
    }

    func key(_ id: KeyID) throws -> any PrivateKey { try load(.key, of: id) }
    func token(_ id: KeyID) throws -> any Secret { try load(.token, of: id) }
    func sharedSecret(_ id: KeyID) throws -> any Secret { try load(.shared, of: id) }
    func destroyToken(_ id: KeyID) throws { try destroy("token", of: id) }
}

extension SecretServiceError {
    /// The same, from this keyring.
    func by(_ keyring: Keyring) -> SecretServiceError {
        var error = self
        error.keyring = keyring
        return error
    }
}
