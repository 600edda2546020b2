/// A method to call.
struct BusCall: Sendable {
    /// A well-known name, or the unique one of an owner.
    var service: String
    var path: String
    var interface: String
    var method: String
    var arguments: [BusArgument] = []
    /// How long an answer is waited for.
    var patience: Duration = .seconds(5)
}

extension BusCall {
    static func properties(of interface: String, at path: String, of service: String) -> BusCall {
        BusCall(
            service: service, path: path, interface: "org.freedesktop.DBus.Properties", method: "GetAll",
            arguments: [.string(interface)])
    }

    /// Has the bus start what can own the name, where it knows how. No error when it runs already.
    static func start(_ name: String, patience: Duration) -> BusCall {
        BusCall(
            service: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            method: "StartServiceByName", arguments: [.string(name), .uint32(0)], patience: patience)
    }
}

/// What a method answered.
struct BusReply: Sendable {
    var values: [BusValue]
    /// The descriptors that came with it.
    var descriptors: [OwnedDescriptor]
}
