import Basics
import CSecret
import Glibc
import Cryptography
import Keys

/// One connection to the Secret Service with its encrypted session. Used by one thread at a time.
///
/// Every call is limited in time: `answerWithin` seconds for the service, `promptWithin` for the person at its prompt.
final class ServiceConnection {
    typealias Service = CSecret.SecretService
    let bus: OpaquePointer  // GDBusConnection, one reference, given back in deinit
    let service: Object<Service>
    /// The unique bus name of the service.
    let owner: String
    let policy: SecretService.Policy
    /// Which program the service is.
    private(set) lazy var keyring = Self.keyring(owner, on: bus, policy)

    /// Connects, and starts the service if the bus can. Throws `noLibrary`, `noBus` or `missing` when there is no
    /// libsecret, bus or service.
    init(_ policy: SecretService.Policy) throws {
        if let failure = csecret_load() { throw SecretServiceError(.noLibrary, String(cString: failure)) }
        guard Self.hasSessionBus else { throw SecretServiceError.noBus }
        self.policy = policy
        let (bus, service, owner) = try Deadline.run(policy.answerWithin) { deadline in
            guard let bus = try throwing({ glib().g_bus_get_sync(G_BUS_TYPE_SESSION, deadline, &$0) }) else {
                throw SecretServiceError.noBus
            }
            do {
                // Otherwise GIO would end the process when the bus goes away.
                glib().g_dbus_connection_set_exit_on_close(bus, 0)
                let opened = try throwing {
                    glib().secret_service_open_sync(
                        glib().secret_service_get_type(), nil, SECRET_SERVICE_OPEN_SESSION, deadline, &$0)
                }
                guard let opened else { throw SecretServiceError.noService }
                let service = Object(owning: opened)
                guard let owner = try Self.owner(on: bus, deadline) else { throw SecretServiceError.noService }
                return (bus, service, owner)
            } catch var error as SecretServiceError {
                defer { glib().g_object_unref(UnsafeMutableRawPointer(bus)) }
                if case .refused(let said) = error.kind, let owner = try? Self.owner(on: bus, deadline) {
                    error.keyring = Self.keyring(owner, on: bus, policy)
                    if error.keyring == .kwallet { throw SecretServiceError.noCipher(said) }
                }
                throw error
            } catch {
                glib().g_object_unref(UnsafeMutableRawPointer(bus))
                throw error
            }
        }
        self.bus = bus
        self.service = service
        self.owner = owner
    }

    private static func keyring(_ owner: String, on bus: OpaquePointer, _ policy: SecretService.Policy) -> Keyring {
        Keyring.allCases.first { keyring in
            keyring.busNames.contains { name in
                (try? Deadline.run(policy.answerWithin) { try Self.owner(of: name, on: bus, $0) }) == owner
            }
        } ?? .other
    }

    deinit { glib().g_object_unref(UnsafeMutableRawPointer(bus)) }

    /// Whether the service is still the process that the session was made with.
    func isAlive() -> Bool {
        let now = try? Deadline.run(policy.answerWithin) { try Self.owner(on: bus, $0) }
        return now == owner
    }

    /// The item's secret in locked memory, nil when there is no such item.
    func load(_ name: ItemName) throws -> LockedBytes? {
        try find(name.attributes).first.map(secret)
    }

    /// All items with these attributes that have the form of ours, in one call. Where a secret cannot be read, the
    /// result says why.
    func loadAll(
        _ attributes: [String: String]
    ) throws -> [(name: ItemName, secret: Result<LockedBytes, any Error>)] {
        try find(attributes, SECRET_SEARCH_LOAD_SECRETS).compactMap { item in
            name(of: item).map { ($0, Result { try secret(of: item) }) }
        }
    }

    /// The item's secret; fetched now unless it came with the item.
    private func secret(of item: Object<SecretItem>) throws -> LockedBytes {
        try Deadline.run(policy.answerWithin) { deadline in
            var value = glib().secret_item_get_secret(item.pointer)
            if value == nil, try throwing({ glib().secret_item_load_secret_sync(item.pointer, deadline, &$0) }) != 0 {
                value = glib().secret_item_get_secret(item.pointer)
            }
            guard let value else {
                throw SecretServiceError(.refused(), "the Secret Service gave an item without its secret")
            }
            // One reference of ours; the bytes lie in libsecret's secure memory, which it wipes with the last
            // reference.
            defer { glib().secret_value_unref(UnsafeMutableRawPointer(value)) }
            var length: gsize = 0
            let bytes = glib().secret_value_get(value, &length)
            // `length` bytes at `bytes`, valid while the value lives; copied before it is given back.
            return try LockedBytes(copying: UnsafeRawBufferPointer(start: bytes, count: Int(length)))
        }
    }

    /// Writes the item: over the existing one, so that there are never two, else into the default collection.
    func store(_ bytes: UnsafeRawBufferPointer, as name: ItemName) throws {
        if let existing = try find(name.attributes, isMade: true).first { return try set(bytes, of: existing) }
        let collection = try defaultCollection(isMade: true).0
        try withValue(bytes) { value, deadline in
            let made = try withTable(name.attributes) { table in
                try throwing {
                    glib().secret_item_create_sync(
                        collection.pointer, nil, table, name.kind.label, value, SECRET_ITEM_CREATE_REPLACE, deadline,
                        &$0)
                }
            }
            guard let made else { throw SecretServiceError(.refused(), "the Secret Service did not store the item") }
            glib().g_object_unref(made)
        }
    }

    /// Replaces an item's secret.
    func set(_ bytes: UnsafeRawBufferPointer, of item: Object<SecretItem>) throws {
        try withValue(bytes) { value, deadline in
            _ = try throwing { glib().secret_item_set_secret_sync(item.pointer, value, deadline, &$0) }
        }
    }

    private func withValue(
        _ bytes: UnsafeRawBufferPointer, _ body: (OpaquePointer, UnsafeMutablePointer<GCancellable>) throws -> Void
    ) throws {
        // Copies `count` bytes into libsecret's secure memory; one reference of ours.
        let content = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard let value = glib().secret_value_new(content, gssize(bytes.count), "application/octet-stream") else {
            throw SecretServiceError(.refused(), "there is no memory for a secret")
        }
        defer { glib().secret_value_unref(UnsafeMutableRawPointer(value)) }
        try Deadline.run(policy.answerWithin) { try body(value, $0) }
    }

    /// The names of all items with these attributes.
    func names(_ attributes: [String: String]) throws -> Set<ItemName> {
        Set(try find(attributes).compactMap(name))
    }

    /// Nil for an item that is not the vault's.
    private func name(of item: Object<SecretItem>) -> ItemName? {
        guard let table = glib().secret_item_get_attributes(item.pointer) else { return nil }
        // One reference of ours; each value belongs to the table and is copied before that is given back.
        defer { glib().g_hash_table_unref(table) }
        func value(_ attribute: String) -> String? {
            glib().g_hash_table_lookup(table, attribute).map {
                String(cString: $0.assumingMemoryBound(to: CChar.self))
            }
        }
        guard let vault = value("vault"), let id = value("id"),
            let kind = value("kind").flatMap({ ItemName.Kind($0, declared: policy.secrets) })
        else { return nil }
        return ItemName(vault: vault, kind: kind, id: id)
    }

    /// All items with these attributes, unlocked. When nothing is found, and the service may not know because it is
    /// locked or has no collection, this throws that error, unless the person creates the collection.
    func find(
        _ attributes: [String: String], _ extra: SecretSearchFlags = SECRET_SEARCH_NONE, isMade: Bool = false
    ) throws -> [Object<SecretItem>] {
        // A search would make KeePassXC ask for the password of a locked database.
        if keyring == .keepassxc { _ = try defaultCollection() }
        var items = try search(attributes, extra)
        let isLocked = items.contains(where: Self.isLocked)
        guard items.isEmpty || isLocked else { return items }
        // A locked collection may hide its items, so this searches again when it had to be unlocked.
        if try defaultCollection(isMade: isMade).wasLocked { items = try search(attributes, extra) }
        let locked = items.filter(Self.isLocked)
        guard !locked.isEmpty else { return items }
        try unlock(locked.map(Self.path), .access, mayAsk: policy.allowsPrompt)
        return try search(attributes, extra)
    }

    private static func isLocked(_ item: Object<SecretItem>) -> Bool {
        glib().secret_item_get_locked(item.pointer) != 0
    }

    private func search(
        _ attributes: [String: String], _ extra: SecretSearchFlags
    ) throws -> [Object<SecretItem>] {
        let flags = SecretSearchFlags(rawValue: SECRET_SEARCH_ALL.rawValue | extra.rawValue)
        return try withTable(attributes) { table in
            try Deadline.run(policy.answerWithin) { deadline in
                Object.list(
                    owning: try throwing {
                        glib().secret_service_search_sync(service.pointer, nil, table, flags, deadline, &$0)
                    })
            }
        }
    }

    /// The unique bus name behind a well-known one. Throws `missing` when nothing owns it.
    private static func owner(
        of name: String = "org.freedesktop.secrets", on bus: OpaquePointer,
        _ deadline: UnsafeMutablePointer<GCancellable>
    ) throws -> String? {
        var name: OpaquePointer? = glib().g_variant_new_string(name)
        // The tuple takes over the floating string, the call takes over the floating tuple.
        let answer = try throwing {
            glib().g_dbus_connection_call_sync(
                bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner",
                glib().g_variant_new_tuple(&name, 1), nil, G_DBUS_CALL_FLAGS_NONE, -1, deadline, &$0)
        }
        return answer.flatMap { texts(owning: $0).first }
    }

    /// The texts and object paths in an answer. Takes over the reference to it.
    static func texts(owning answer: OpaquePointer) -> [String] {
        defer { glib().g_variant_unref(answer) }
        return (0..<glib().g_variant_n_children(answer)).compactMap { index in
            guard let child = glib().g_variant_get_child_value(answer, index) else { return nil }
            defer { glib().g_variant_unref(child) }
            // The text belongs to the variant and is copied before that is given back.
            return glib().g_variant_get_string(child, nil).map { String(cString: $0) }
        }
    }

    /// Checked before GIO connects, since without a bus GIO would try to start one through X11.
    private static var hasSessionBus: Bool {
        // getenv's text is copied at once.
        if let address = getenv("DBUS_SESSION_BUS_ADDRESS").map({ String(cString: $0) }), !address.isEmpty {
            return true
        }
        guard let directory = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }) else { return false }
        return access(directory + "/bus", F_OK) == 0
    }
}

extension Keyring {
    /// The names that this program owns on the session bus besides org.freedesktop.secrets.
    fileprivate var busNames: [String] {
        switch self {
        case .gnomeKeyring: ["org.gnome.keyring"]
        case .kwallet: ["org.kde.kwalletd5", "org.kde.kwalletd6", "org.kde.secretservicecompat"]
        case .keepassxc: ["org.keepassxc.KeePassXC.MainWindow"]
        case .other: []
        }
    }

    /// The name of a default collection that this program creates for us.
    var collectionLabel: String {
        // KWallet uses this name for its usual wallet.
        self == .kwallet ? "kdewallet" : "Default keyring"
    }
}
