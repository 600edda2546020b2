import CSecret
import Glibc
import SCA
import SCACrypto

/// One connection to the Secret Service with its encrypted session. Used by one thread at a time.
///
/// Every call is bounded: `answerWithin` seconds for the service, `promptWithin` for the person at its prompt.
final class ServiceConnection {
    typealias Service = CSecret.SecretService
    private let bus: OpaquePointer  // GDBusConnection, one reference, given back in deinit
    private let service: Object<Service>
    private let owner: String
    private let policy: SecretService.Policy

    /// Throws `noLibrary`, `noBus` or `missing` when there is no libsecret, bus or service; starts the service when the bus can.
    init(_ policy: SecretService.Policy) throws {
        if let failure = csecret_load() { throw SecretServiceError(.noLibrary, String(cString: failure)) }
        guard Self.hasSessionBus else { throw SecretServiceError.noBus }
        self.policy = policy
        let (bus, service, owner) = try Deadline.run(policy.answerWithin) { deadline in
            guard let bus = try throwing({ glib().g_bus_get_sync(G_BUS_TYPE_SESSION, deadline, &$0) }) else {
                throw SecretServiceError.noBus
            }
            do {
                // GIO would end the process when the bus goes away; a lost bus is an error like others.
                glib().g_dbus_connection_set_exit_on_close(bus, 0)
                let opened = try throwing {
                    glib().secret_service_open_sync(
                        glib().secret_service_get_type(), nil, SECRET_SERVICE_OPEN_SESSION, deadline, &$0)
                }
                guard let opened else { throw SecretServiceError.noService }
                let service = Object(owning: opened)
                guard let owner = try Self.owner(on: bus, deadline) else { throw SecretServiceError.noService }
                return (bus, service, owner)
            } catch {
                glib().g_object_unref(UnsafeMutableRawPointer(bus))
                throw error
            }
        }
        self.bus = bus
        self.service = service
        self.owner = owner
    }

    deinit { glib().g_object_unref(UnsafeMutableRawPointer(bus)) }

    /// Whether the service is still the process that the session was made with.
    func isAlive() -> Bool {
        let now = try? Deadline.run(policy.answerWithin) { try Self.owner(on: bus, $0) }
        return now == owner
    }

    /// Throws unless there is a default collection, unlocked now or (when allowed) after the service's own prompt.
    func ready() throws { _ = try defaultCollection() }

    /// The item's secret in locked memory, nil when there is no such item.
    func load(_ name: ItemName) throws -> LockedBytes? {
        try find(name.attributes).first.map(secret)
    }

    /// The secrets of all items with these attributes, by their `id`: asked for together, which costs little more than one.
    /// An item that does not give its secret is left out.
    func loadAll(_ attributes: [String: String]) throws -> [String: LockedBytes] {
        var secrets: [String: LockedBytes] = [:]
        for item in try find(attributes, SECRET_SEARCH_LOAD_SECRETS) {
            if let id = Self.id(of: item) { secrets[id] = try? secret(of: item) }
        }
        return secrets
    }

    /// The secret that came with the item, or is fetched now.
    private func secret(of item: Object<SecretItem>) throws -> LockedBytes {
        try Deadline.run(policy.answerWithin) { deadline in
            var value = glib().secret_item_get_secret(item.pointer)
            if value == nil, try throwing({ glib().secret_item_load_secret_sync(item.pointer, deadline, &$0) }) != 0 {
                value = glib().secret_item_get_secret(item.pointer)
            }
            guard let value else {
                throw SecretServiceError(.refused, "the Secret Service gave an item without its secret")
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

    /// Writes the item: in place when it exists (so never twice), else into the default collection.
    func store(_ bytes: UnsafeRawBufferPointer, as name: ItemName) throws {
        // Copies `count` bytes into libsecret's secure memory; one reference of ours.
        let content = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard let value = glib().secret_value_new(content, gssize(bytes.count), "application/octet-stream") else {
            throw SecretServiceError(.refused, "there is no memory for a secret")
        }
        defer { glib().secret_value_unref(UnsafeMutableRawPointer(value)) }
        let existing = try find(name.attributes).first
        let collection = existing == nil ? try defaultCollection().0 : nil
        try Deadline.run(policy.answerWithin) { deadline in
            if let existing {
                _ = try throwing { glib().secret_item_set_secret_sync(existing.pointer, value, deadline, &$0) }
            } else if let collection {
                let made = try withTable(name.attributes) { table in
                    try throwing {
                        glib().secret_item_create_sync(
                            collection.pointer, nil, table, name.kind.label, value, SECRET_ITEM_CREATE_REPLACE,
                            deadline, &$0)
                    }
                }
                guard let made else { throw SecretServiceError(.refused, "the Secret Service stored no item") }
                glib().g_object_unref(made)
            }
        }
    }

    /// The `id` attributes of all items with these attributes.
    func ids(_ attributes: [String: String]) throws -> Set<String> {
        Set(try find(attributes).compactMap(Self.id))
    }

    private static func id(of item: Object<SecretItem>) -> String? {
        guard let table = glib().secret_item_get_attributes(item.pointer) else { return nil }
        // One reference of ours; the value belongs to the table and is copied before that is given back.
        defer { glib().g_hash_table_unref(table) }
        return glib().g_hash_table_lookup(table, "id").map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
    }

    /// Deletes all items with these attributes; none is not an error.
    func delete(_ attributes: [String: String]) throws {
        for item in try find(attributes) {
            try Deadline.run(policy.answerWithin) { deadline in
                guard try throwing({ glib().secret_item_delete_sync(item.pointer, deadline, &$0) }) != 0 else {
                    throw SecretServiceError(.refused, "the Secret Service did not delete an item")
                }
            }
        }
    }

    /// All items with these attributes, unlocked. Nothing found in a service that could not say (no collection, locked)
    /// is that error instead.
    private func find(
        _ attributes: [String: String], _ extra: SecretSearchFlags = SECRET_SEARCH_NONE
    ) throws -> [Object<SecretItem>] {
        var items = try search(attributes, extra)
        if items.isEmpty {
            // A locked collection may hide its items: searched again when it had to be unlocked.
            let (_, wasLocked) = try defaultCollection()
            if wasLocked { items = try search(attributes, extra) }
        }
        for item in items where glib().secret_item_get_locked(item.pointer) != 0 { try unlock(item) }
        return items
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

    /// The default collection, unlocked, and whether it had to be.
    private func defaultCollection() throws -> (Object<SecretCollection>, wasLocked: Bool) {
        let collection = try Deadline.run(policy.answerWithin) { deadline in
            try throwing {
                glib().secret_collection_for_alias_sync(
                    service.pointer, "default", SECRET_COLLECTION_NONE, deadline, &$0)
            }
        }
        guard let collection else { throw SecretServiceError.noCollection }
        let object = Object(owning: collection)
        let wasLocked = glib().secret_collection_get_locked(collection) != 0
        if wasLocked { try unlock(object) }
        return (object, wasLocked)
    }

    /// Has the service ask the person, when that is allowed.
    private func unlock<T>(_ object: Object<T>) throws {
        guard policy.allowsPrompt else { throw SecretServiceError.isLocked }
        let unlocked = try Deadline.run(policy.promptWithin) { deadline in
            try object.asList { list in
                try throwing { glib().secret_service_unlock_sync(service.pointer, list, deadline, nil, &$0) }
            }
        }
        guard unlocked > 0 else { throw SecretServiceError.promptDismissed }
    }

    /// The unique bus name behind org.freedesktop.secrets; nil when nothing owns it.
    private static func owner(on bus: OpaquePointer, _ deadline: UnsafeMutablePointer<GCancellable>) throws -> String? {
        var name: OpaquePointer? = glib().g_variant_new_string("org.freedesktop.secrets")
        // The tuple takes over the floating string, the call takes over the floating tuple.
        let answer = try throwing {
            glib().g_dbus_connection_call_sync(
                bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner",
                glib().g_variant_new_tuple(&name, 1), nil, G_DBUS_CALL_FLAGS_NONE, -1, deadline, &$0)
        }
        guard let answer else { return nil }
        defer { glib().g_variant_unref(answer) }
        guard let child = glib().g_variant_get_child_value(answer, 0) else { return nil }
        defer { glib().g_variant_unref(child) }
        // The text belongs to the variant and is copied before that is given back.
        return glib().g_variant_get_string(child, nil).map { String(cString: $0) }
    }

    /// Looked at beforehand: without a bus GIO would try to start one through X11.
    private static var hasSessionBus: Bool {
        // getenv's text is copied at once.
        if let address = getenv("DBUS_SESSION_BUS_ADDRESS").map({ String(cString: $0) }), !address.isEmpty {
            return true
        }
        guard let directory = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }) else { return false }
        return access(directory + "/bus", F_OK) == 0
    }
}
