/// A well-known name on a bus, and the signals of its owner that are listened to.
struct BusService: Sendable {
    struct Signal: Sendable {
        var interface: String
        var member: String
        /// What the first argument must be, nil for anything.
        var firstArgument: String?
    }

    var name: String
    var signals: [Signal]
}

/// What happens to a service.
enum BusEvent: Sendable {
    /// A process took the name, or had it when we came to the bus.
    case appeared(owner: String)
    /// Nobody owns the name any more, or the bus is gone.
    case vanished
    /// A signal sent by the owner of the name.
    case signal(BusSignal)
}

struct BusSignal: Sendable {
    var path: String
    var interface: String
    var member: String
    var arguments: [BusValue]
}
