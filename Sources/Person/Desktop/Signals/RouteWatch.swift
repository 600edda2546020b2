import CPlatform
import Dispatch
import Glibc

/// Reports each new default route: the network is up, or the machine changed to another one. Works with any network
/// manager, or none.
final class RouteWatch {
    private let source: any DispatchSourceRead

    /// Listens in the network namespace of the calling thread, and calls `cameUp` on a queue of its own. Nil when
    /// listening is not possible.
    convenience init?(_ cameUp: @escaping @Sendable () -> Void) {
        guard let routes = RouteSocket() else { return nil }
        self.init(routes, cameUp)
    }

    init(_ routes: RouteSocket, _ cameUp: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeReadSource(
            fileDescriptor: routes.socket.number, queue: DispatchQueue(label: "countersign.routes"))
        // Source and handler refer to each other and to the socket until the source is cancelled.
        source.setEventHandler {
            switch routes.defaultCame() {
            case true?: cameUp()
            case false?: break
            case nil: source.cancel()
            }
        }
        source.activate()
        self.source = source
    }

    deinit { source.cancel() }
}

/// A socket on which the kernel reports new routes.
struct RouteSocket: Sendable {
    fileprivate let socket: OwnedDescriptor

    init?() {
        let descriptor = countersign_open_routes()
        guard descriptor >= 0 else { return nil }
        socket = OwnedDescriptor(owning: descriptor)
    }

    /// Whether a default route was added since the last call; nil when the socket no longer works. Does not wait.
    func defaultCame() -> Bool? {
        let came = countersign_default_route_came(socket.number)
        return came < 0 ? nil : came == 1
    }
}
