import Basics
import CPlatform
import CSecret
import Dispatch
import Glibc
import Web

/// Opens a web page for the person: through the desktop's portal if there is one, else with `xdg-open`. Both get an address that leads
/// to the page, since every user of the computer can read the arguments of `xdg-open`, and of the browser that a portal starts.
enum Browser {
    /// Returns whether the page was handed over. If there is a portal, its answer is final, because a portal that seems to fail may only
    /// be slow.
    ///
    /// - Parameter mayStart: whether xdg-open may be started. A program that a serving process starts ends with that process and
    ///   shares its limits, so one is started only in a desktop session.
    static func open(_ lead: PageLead, mayStart: Bool = true) -> Bool {
        portal(lead.address.text) ?? (mayStart && xdgOpen(lead.address.text))
    }

    /// Calls org.freedesktop.portal.OpenURI (xdg-desktop-portal). Nil if there is no portal.
    private static func portal(_ address: String) -> Bool? {
        guard csecret_load() == nil else { return nil }
        // The bus is ours to release; the call consumes the floating variants; reply and error are released below.
        guard let bus = glib().g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil) else { return nil }
        defer { glib().g_object_unref(UnsafeMutableRawPointer(bus)) }
        // Otherwise GIO would end the process when the bus goes away.
        glib().g_dbus_connection_set_exit_on_close(bus, 0)
        let pair = glib().g_variant_type_new("{sv}")
        defer { glib().g_variant_type_free(pair) }
        var arguments: [OpaquePointer?] = [
            glib().g_variant_new_string(""), glib().g_variant_new_string(address),
            glib().g_variant_new_array(pair, nil, 0),
        ]
        var error: UnsafeMutablePointer<GError>?
        let reply = glib().g_dbus_connection_call_sync(
            bus, "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", "org.freedesktop.portal.OpenURI",
            "OpenURI", glib().g_variant_new_tuple(&arguments, 3), nil, G_DBUS_CALL_FLAGS_NONE, 5000, nil, &error)
        if let reply {
            glib().g_variant_unref(reply)
            return true
        }
        guard let error else { return nil }
        defer { glib().g_error_free(error) }
        let isAbsent = error.pointee.domain == glib().g_dbus_error_quark() && absent.contains(error.pointee.code)
        return isAbsent ? nil : false
    }

    /// The errors that mean that there is no portal, or none that opens pages.
    private static let absent = Set(
        [
            G_DBUS_ERROR_SERVICE_UNKNOWN, G_DBUS_ERROR_NAME_HAS_NO_OWNER, G_DBUS_ERROR_SPAWN_EXEC_FAILED,
            G_DBUS_ERROR_SPAWN_FORK_FAILED, G_DBUS_ERROR_SPAWN_CHILD_EXITED, G_DBUS_ERROR_SPAWN_CHILD_SIGNALED,
            G_DBUS_ERROR_SPAWN_FAILED, G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND, G_DBUS_ERROR_UNKNOWN_METHOD,
            G_DBUS_ERROR_UNKNOWN_INTERFACE, G_DBUS_ERROR_UNKNOWN_OBJECT,
        ].map { Int32(bitPattern: $0.rawValue) })

    private static func xdgOpen(_ address: String) -> Bool {
        guard
            Environment.value("DISPLAY") != nil || Environment.value("WAYLAND_DISPLAY") != nil
                || Environment.value("BROWSER") != nil
        else { return false }
        var pid = pid_t()
        let fault = ArgumentVector.with(["xdg-open", address]) {
            countersign_spawn(&pid, "xdg-open", $0, environ, [-1, -1, -1], 3, 0)
        }
        guard fault == 0 else { return false }
        // Reaps the program, which would otherwise stay a zombie as long as this process runs.
        DispatchQueue(label: "xdg-open").async { [pid] in waitpid(pid, nil, 0) }
        return true
    }
}
