/// A well-known name on a bus, and the signals of its owner that we listen to.
struct BusService: Sendable {
    struct Signal: Sendable {
        var interface: String
        var member: String
        /// The value that the first argument must have; nil for any.
        var firstArgument: String?
    }

    var name: String
    var signals: [Signal]
}

/// A change of a service, or a signal from it.
enum BusEvent: Sendable {
    /// A process took the name, or had it when we connected.
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
