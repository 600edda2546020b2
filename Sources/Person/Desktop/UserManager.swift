/// The user's service manager (systemd). It knows the display of the session once the desktop has set the variables
/// there (`systemctl --user import-environment`, `dbus-update-activation-environment --systemd`).
package struct UserManager: Sendable {
    private let bus: DesktopBus

    package init(bus: DesktopBus) { self.bus = bus }

    /// DISPLAY, WAYLAND_DISPLAY and XAUTHORITY, those that are set now; empty when no user manager answers.
    package func display() async -> [String: String] {
        let answer = try? await bus.session.call(Self.environment)
        // The property is a list of NAME=VALUE.
        let lines = answer?.values.first?.list?.compactMap(\.string) ?? []
        var display: [String: String] = [:]
        for line in lines {
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, Self.names.contains(parts[0]), Self.isSound(parts[1]) else { continue }
            display[parts[0]] = parts[1]
        }
        return display
    }

    private static let names = ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"]

    /// Whether a value has no control characters. The same rule holds for values that a front end sends.
    private static func isSound(_ value: String) -> Bool {
        value.utf8.count <= 1024 && value.utf8.allSatisfy { $0 >= 32 && $0 != 127 }
    }

    private static let environment = BusCall(
        service: "org.freedesktop.systemd1", path: "/org/freedesktop/systemd1",
        interface: "org.freedesktop.DBus.Properties", method: "Get",
        arguments: [.string("org.freedesktop.systemd1.Manager"), .string("Environment")], patience: .seconds(2))
}
