/// A method to call.
struct BusCall: Sendable {
    /// A well-known name, or the unique one of an owner.
    var service: String
    var path: String
    var interface: String
    var method: String
    var arguments: [BusArgument] = []
    /// How long to wait for the reply.
    var patience: Duration = .seconds(5)
}

extension BusCall {
    /// Reads all properties of an interface; the reply has one dictionary.
    static func properties(of interface: String, at path: String, of service: String) -> BusCall {
        BusCall(
            service: service, path: path, interface: "org.freedesktop.DBus.Properties", method: "GetAll",
            arguments: [.string(interface)])
    }

    /// Asks the bus to start the service that owns this name. Not an error when it runs already.
    static func start(_ name: String, patience: Duration) -> BusCall {
        BusCall(
            service: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            method: "StartServiceByName", arguments: [.string(name), .uint32(0)], patience: patience)
    }
}

/// The reply of a method.
struct BusReply: Sendable {
    var values: [BusValue]
    /// The file descriptors that came with the reply.
    var descriptors: [OwnedDescriptor]
}
