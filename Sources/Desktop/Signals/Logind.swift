/// org.freedesktop.login1, as systemd and elogind serve it.
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

    /// What a session's `State` is when its leader has ended and others of its processes have not: it stays so as long as they
    /// do, and nothing tells of it.
    static let closing = "closing"

    static func call(_ method: String, _ arguments: BusArgument...) -> BusCall {
        BusCall(service: name, path: path, interface: manager, method: method, arguments: arguments)
    }

    /// Makes logind wait before the machine sleeps, until the descriptor it answers with is closed.
    static let delaySleep = call(
        "Inhibit", .string("sleep"), .string("Countersign"), .string("Locks before the machine sleeps"),
        .string("delay"))
}

/// The screen savers that tell on the session bus when the screen is locked. Name and interface of each are the same.
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
