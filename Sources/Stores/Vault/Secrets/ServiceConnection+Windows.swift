import Basics
import CSecret
import Keys

/// The calls that may open a window of the service.
extension ServiceConnection {
    /// The default collection, unlocked, and whether it had to be unlocked. With `isMade` the service asks the person
    /// to create one when there is none.
    func defaultCollection(isMade: Bool = false) throws -> (Object<SecretCollection>, wasLocked: Bool) {
        try defaultCollection(isMade: isMade, mayAsk: policy.allowsPrompt)
    }

    private func defaultCollection(
        isMade: Bool = false, mayAsk: Bool
    ) throws -> (Object<SecretCollection>, wasLocked: Bool) {
        guard let collection = try existingCollection() else {
            guard isMade, policy.allowsPrompt, keyring != .keepassxc else { throw SecretServiceError.noCollection }
            return (try makeCollection(), false)
        }
        let wasLocked = glib().secret_collection_get_locked(collection.pointer) != 0
        if wasLocked { try unlock([Self.path(of: collection)], .unlock, mayAsk: mayAsk) }
        return (collection, wasLocked)
    }

    private func existingCollection() throws -> Object<SecretCollection>? {
        try Deadline.run(policy.answerWithin) { deadline in
            try throwing {
                glib().secret_collection_for_alias_sync(
                    service.pointer, "default", SECRET_COLLECTION_NONE, deadline, &$0)
            }
        }.map(Object.init(owning:))
    }

    /// Creates the default collection. libsecret's own function is not used, since it fails when the window was
    /// cancelled.
    private func makeCollection() throws -> Object<SecretCollection> {
        // Each value takes over the floating references of its parts, and the call takes over the last value.
        var property = glib().g_variant_new_dict_entry(
            glib().g_variant_new_string("org.freedesktop.Secret.Collection.Label"),
            glib().g_variant_new_variant(glib().g_variant_new_string(keyring.collectionLabel)))
        var arguments = [glib().g_variant_new_array(nil, &property, 1), glib().g_variant_new_string("default")]
        let paths = try call(
            "/org/freedesktop/secrets", "org.freedesktop.Secret.Service", "CreateCollection",
            glib().g_variant_new_tuple(&arguments, 2))
        if paths.count > 1, paths[1] != "/" { try prompt(paths[1], .create) }
        guard let collection = try existingCollection() else { throw SecretServiceError.noCollection }
        return collection
    }

    /// Calls a method of the service; takes over `arguments`; returns the texts and object paths of the answer.
    func call(
        _ path: String, _ interface: String, _ method: String, _ arguments: OpaquePointer? = nil
    ) throws -> [String] {
        let answer = try Deadline.run(policy.answerWithin) { deadline in
            try throwing {
                glib().g_dbus_connection_call_sync(
                    bus, owner, path, interface, method, arguments, nil, G_DBUS_CALL_FLAGS_NONE, -1, deadline, &$0)
            }
        }
        return answer.map(Self.texts(owning:)) ?? []
    }

    /// Shows the window that the answer of a method named. Throws `dismissed` when the person closed it.
    func prompt(_ path: String, _ question: KeyringQuestion) throws {
        let answer = try asking(question) { deadline in
            try throwing {
                glib().secret_service_prompt_at_dbus_path_sync(service.pointer, path, deadline, nil, &$0)
            }
        }
        guard let answer else { throw SecretServiceError.dismissed(question) }
        // One reference of ours.
        glib().g_variant_unref(answer)
    }

    /// Asks the person to unlock all locked items of a vault, in one window, after the one for their collection.
    func open(_ vault: String) throws {
        // A search would make KeePassXC ask for the password of a locked database.
        if keyring == .keepassxc { _ = try defaultCollection(mayAsk: true) }
        var found = try paths(["vault": vault])
        guard found.unlocked.isEmpty || !found.locked.isEmpty else { return }
        if try defaultCollection(mayAsk: true).wasLocked { found = try paths(["vault": vault]) }
        if !found.locked.isEmpty { try unlock(found.locked, .access, mayAsk: true) }
    }

    /// The D-Bus paths of the items with these attributes.
    private func paths(_ attributes: [String: String]) throws -> (unlocked: [String], locked: [String]) {
        var unlocked: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        var locked: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        // Both arrays are ours when they were set, and freed with their strings below.
        defer { glib().g_strfreev(unlocked) }
        defer { glib().g_strfreev(locked) }
        try withTable(attributes) { table in
            try Deadline.run(policy.answerWithin) { deadline in
                _ = try throwing {
                    glib().secret_service_search_for_dbus_paths_sync(
                        service.pointer, nil, table, deadline, &unlocked, &locked, &$0)
                }
            }
        }
        return (strings(of: unlocked), strings(of: locked))
    }

    /// Unlocks these collections or items together. Throws `locked` when that needs a window and none is allowed, and
    /// `dismissed` when nothing was unlocked.
    func unlock(_ paths: [String], _ question: KeyringQuestion, mayAsk: Bool) throws {
        guard mayAsk else { throw question == .access ? SecretServiceError.mayNotRead : .isLocked }
        let count = try asking(question) { deadline in
            try withStrings(paths) { paths in
                try throwing {
                    glib().secret_service_unlock_dbus_paths_sync(service.pointer, paths, deadline, nil, &$0)
                }
            }
        }
        guard count > 0 else { throw SecretServiceError.dismissed(question) }
    }

    /// Runs a call that shows a window, with the time that the person has for it.
    func asking<R>(
        _ question: KeyringQuestion, _ body: (UnsafeMutablePointer<GCancellable>) throws -> R
    ) throws -> R {
        var result: R?
        try policy.waiting(question, keyring) { result = try Deadline.run(policy.promptWithin, body) }
        guard let result else { throw SecretServiceError.dismissed(question) }
        return result
    }

    /// The D-Bus path of a collection or an item.
    static func path<T>(of object: Object<T>) -> String {
        // Collections and items are GDBusProxies; the text belongs to the proxy and is copied at once.
        object.pointer.withMemoryRebound(to: GDBusProxy.self, capacity: 1) { proxy in
            glib().g_dbus_proxy_get_object_path(proxy).map { String(cString: $0) } ?? ""
        }
    }
}
