import CSecret
import Glibc

/// How to find a message bus.
package enum BusAddress: Sendable, Equatable {
    /// `DBUS_SESSION_BUS_ADDRESS`, else the socket `bus` in `XDG_RUNTIME_DIR`.
    case session
    /// `DBUS_SYSTEM_BUS_ADDRESS`, else the usual socket of the system bus.
    case system
    /// In the form of the D-Bus specification, such as `unix:path=/run/user/1000/bus`.
    case address(String)

    /// The address to connect to; nil when there is no bus. Looked up each time, since a bus may be started later.
    var text: String? {
        switch self {
        case .address(let text): return text
        case .session: return Self.hasSessionBus ? Self.found(G_BUS_TYPE_SESSION) : nil
        case .system: return Self.found(G_BUS_TYPE_SYSTEM)
        }
    }

    private static func found(_ type: GBusType) -> String? {
        guard let text = glib().g_dbus_address_get_for_bus_sync(type, nil, nil) else { return nil }
        // We own this copy and free it.
        defer { glib().g_free(text) }
        let address = String(cString: text)
        // `autolaunch:` would start a bus.
        return address.contains("autolaunch:") ? nil : address
    }

    /// Checked before GIO is asked, since without a bus GIO would try to start one through X11.
    private static var hasSessionBus: Bool {
        // getenv's text is copied at once.
        if let address = getenv("DBUS_SESSION_BUS_ADDRESS").map({ String(cString: $0) }), !address.isEmpty {
            return !address.contains("autolaunch:")
        }
        guard let directory = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }) else { return false }
        return access(directory + "/bus", F_OK) == 0
    }
}
