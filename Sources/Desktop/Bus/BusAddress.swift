import CSecret
import Glibc

/// Where a message bus is to be found.
public enum BusAddress: Sendable, Equatable {
    /// `DBUS_SESSION_BUS_ADDRESS`, else the socket `bus` in `XDG_RUNTIME_DIR`.
    case session
    /// `DBUS_SYSTEM_BUS_ADDRESS`, else the system's own.
    case system
    /// In the form of the D-Bus specification, such as `unix:path=/run/user/1000/bus`.
    case address(String)

    /// The address to connect to, nil where there is none. Looked up anew each time, since a bus may come later.
    var text: String? {
        switch self {
        case .address(let text): return text
        case .session: return Self.hasSessionBus ? Self.found(G_BUS_TYPE_SESSION) : nil
        case .system: return Self.found(G_BUS_TYPE_SYSTEM)
        }
    }

    private static func found(_ type: GBusType) -> String? {
        guard let text = glib().g_dbus_address_get_for_bus_sync(type, nil, nil) else { return nil }
        // A copy of ours: read, then freed.
        defer { glib().g_free(text) }
        let address = String(cString: text)
        // Nothing is to be started, only found.
        return address.contains("autolaunch:") ? nil : address
    }

    /// Looked at beforehand: without a bus GIO would try to start one through X11.
    private static var hasSessionBus: Bool {
        // getenv's text is copied at once.
        if let address = getenv("DBUS_SESSION_BUS_ADDRESS").map({ String(cString: $0) }), !address.isEmpty {
            return !address.contains("autolaunch:")
        }
        guard let directory = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }) else { return false }
        return access(directory + "/bus", F_OK) == 0
    }
}
