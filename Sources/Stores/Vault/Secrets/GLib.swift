import Basics
import CSecret
import Keys

/// Calls `body` with a place for a GError. An error that it sets is freed here and thrown as a `SecretServiceError`.
func throwing<R>(_ body: (inout UnsafeMutablePointer<GError>?) -> R) throws -> R {
    var error: UnsafeMutablePointer<GError>?
    let result = body(&error)
    guard let failure = error else { return result }
    // A GError that was set belongs to the caller, who frees it once.
    defer { glib().g_error_free(failure) }
    throw SecretServiceError(failure)
}

/// Calls `body` with a GHashTable of `attributes`: keys and values are copies that the table frees with itself.
func withTable<R>(_ attributes: [String: String], _ body: (OpaquePointer?) throws -> R) rethrows -> R {
    let table = glib().g_hash_table_new_full(glib().g_str_hash, glib().g_str_equal, glib().g_free, glib().g_free)
    defer { glib().g_hash_table_unref(table) }
    for (key, value) in attributes {
        // g_strdup copies; the table owns both copies from here on.
        _ = glib().g_hash_table_insert(table, glib().g_strdup(key), glib().g_strdup(value))
    }
    return try body(table)
}

/// One reference to a GObject, given back at the end of its life.
final class Object<T> {
    /// Valid as long as this Swift object lives.
    let pointer: UnsafeMutablePointer<T>

    /// Takes over the caller's reference.
    init(owning pointer: UnsafeMutablePointer<T>) { self.pointer = pointer }
    deinit { glib().g_object_unref(pointer) }

    /// The objects of a list of which the caller owns both the list and each reference; the list itself is freed here.
    static func list(owning list: UnsafeMutablePointer<GList>?) -> [Object<T>] {
        defer { glib().g_list_free(list) }
        var objects: [Object<T>] = []
        var node = list
        while let current = node {
            // GList.data of such a list points to a `T` with one reference for us.
            if let data = current.pointee.data { objects.append(Object(owning: data.assumingMemoryBound(to: T.self))) }
            node = current.pointee.next
        }
        return objects
    }
}

/// Lends a null-terminated array of copies of `strings`, which are freed after the call.
func withStrings<R>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafePointer<CChar>?>?) throws -> R
) rethrows -> R {
    // g_strdup copies; each copy is ours until it is freed below.
    let copies = strings.map { glib().g_strdup($0) }
    defer { for copy in copies { glib().g_free(copy) } }
    var list = copies.map { UnsafePointer($0) } + [nil]
    // The array's memory is used within the call only.
    return try list.withUnsafeMutableBufferPointer { try body($0.baseAddress) }
}

/// The strings of a null-terminated array, which stays the caller's.
func strings(of array: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> [String] {
    var strings: [String] = []
    var next = array
    while let string = next?.pointee {
        strings.append(String(cString: string))
        next = next?.successor()
    }
    return strings
}
