/// Names and calls of org.freedesktop.login1, which systemd and elogind serve.
enum Logind {
    static let name = "org.freedesktop.login1"
    static let path = "/org/freedesktop/login1"
    static let manager = "org.freedesktop.login1.Manager"
    static let session = "org.freedesktop.login1.Session"
    static let properties = "org.freedesktop.DBus.Properties"

    static let service = BusService(
        name: name,
        signals: [
            .init(interface: manager, member: "PrepareForSleep"),
            .init(interface: manager, member: "PrepareForShutdown"),
            .init(interface: manager, member: "SessionNew"),
            .init(interface: manager, member: "SessionRemoved"),
            .init(interface: manager, member: "UserRemoved"),
            .init(interface: session, member: "Lock"),
            .init(interface: session, member: "Unlock"),
            .init(interface: properties, member: "PropertiesChanged", firstArgument: session),
        ])

    /// The `State` of a session whose leader has ended while others of its processes run on. It stays so as long as
    /// they run, and no signal reports it.
    static let closing = "closing"

    static func call(_ method: String, _ arguments: BusArgument...) -> BusCall {
        BusCall(service: name, path: path, interface: manager, method: method, arguments: arguments)
    }

    /// Makes logind delay the sleep of the machine until the descriptor in its reply is closed.
    static let delaySleep = call(
        "Inhibit", .string("sleep"), .string("Countersign"), .string("Locks before the machine sleeps"),
        .string("delay"))
}

/// The screen savers that report on the session bus when the screen is locked. Each one's interface is called like its
/// bus name.
enum ScreenSavers {
    /// KDE and others; GNOME; Cinnamon; MATE; Xfce.
    static let names = [
        "org.freedesktop.ScreenSaver", "org.gnome.ScreenSaver", "org.cinnamon.ScreenSaver", "org.mate.ScreenSaver",
        "org.xfce.ScreenSaver",
    ]

    static func service(_ name: String) -> BusService {
        BusService(name: name, signals: [.init(interface: name, member: "ActiveChanged")])
    }

    static func isActive(_ name: String) -> BusCall {
        let path = "/" + name.split(separator: ".").joined(separator: "/")
        return BusCall(service: name, path: path, interface: name, method: "GetActive")
    }
}
