import CPlatform
import Dispatch
import Glibc

/// Tells when a default route comes: the network is up, or another one is. Works with any network manager, or none.
final class RouteWatch {
    private let source: any DispatchSourceRead

    /// Listens in the network namespace of the calling thread, and calls `cameUp` on a queue of its own. Nil where that
    /// cannot be listened to.
    convenience init?(_ cameUp: @escaping @Sendable () -> Void) {
        guard let routes = Routes() else { return nil }
        self.init(routes, cameUp)
    }

    init(_ routes: Routes, _ cameUp: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeReadSource(
            fileDescriptor: routes.socket.number, queue: DispatchQueue(label: "countersign.routes"))
        // Source and handler hold each other, and the socket, until the source is cancelled, which ends that.
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

/// A socket on which the kernel tells of new routes.
struct Routes: Sendable {
    fileprivate let socket: OwnedDescriptor

    init?() {
        let descriptor = countersign_open_routes()
        guard descriptor >= 0 else { return nil }
        socket = OwnedDescriptor(owning: descriptor)
    }

    /// Whether a default route came since the last time, nil when that can no longer be told. Does not wait.
    func defaultCame() -> Bool? {
        let came = countersign_default_route_came(socket.number)
        return came < 0 ? nil : came == 1
    }
}
