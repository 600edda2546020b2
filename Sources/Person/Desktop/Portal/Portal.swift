import Basics
import CSecret

/// Asks the desktop's portal (xdg-desktop-portal) to grant a wish.
///
/// A portal opens `/proc/PID/root` of the process that asks, and refuses it if that is not allowed. So the process that asks must
/// be dumpable.
package enum Portal {
    private static let name = "org.freedesktop.portal.Desktop"
    private static let service = BusService(
        name: name, signals: [.init(interface: "org.freedesktop.portal.Request", member: "Response")])

    private enum Event {
        case signal(BusSignal)
        /// The wish takes as long as if the person were being asked.
        case slow
        case ended
    }

    /// Calls `report` once, and returns when the portal is done. It must not be left before, since a portal withdraws the windows of
    /// a process that has gone.
    package static func grant(_ wish: PortalWish, _ report: (PortalAnswer) -> Void) async {
        guard csecret_load() == nil else { return report(.failed(.absent)) }
        let bus = MessageBus(.session, on: BusThread(), retryAfter: .seconds(15))
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        // Watched before the call, so that the response cannot be missed.
        await bus.watch(service) { event in
            switch event {
            case .signal(let signal): continuation.yield(.signal(signal))
            case .vanished: continuation.yield(.ended)
            case .appeared: break
            }
        }
        let request: String
        do {
            request = try await handle(of: wish, on: bus)
        } catch {
            return report(.failed(error))
        }
        let clock = Task {
            try await Task.sleep(for: .seconds(3))
            continuation.yield(.slow)
            try await Task.sleep(for: .seconds(600))
            continuation.yield(.ended)
        }
        defer { clock.cancel() }
        var isPending = false
        for await event in events {
            switch event {
            case .signal(let response) where response.path == request:
                if !isPending { report(answer(to: wish, response.arguments)) }
                return
            case .signal: continue
            case .slow:
                // The person takes the picture in this time.
                guard wish != .picture else { continue }
                report(.pending)
                isPending = true
            case .ended:
                if !isPending { report(.failed(.silent)) }
                return
            }
        }
    }

    /// Makes the call. Returns the path of the object that will send the response.
    private static func handle(of wish: PortalWish, on bus: MessageBus) async throws(PortalFault) -> String {
        var reason: PortalFault?
        do {
            _ = try await bus.call(.start(name, patience: .seconds(8)))
        } catch {
            // Counts only if no portal runs: a bus that cannot start it answers with an error even when it is running.
            reason = fault(error)
        }
        do {
            let reply = try await bus.call(call(for: wish))
            guard case .string(let path)? = reply.values.first else { throw PortalFault.failed }
            return path
        } catch BusError.noService {
            // The portal ran, and is gone.
            throw reason ?? .silent
        } catch let error as BusError {
            throw fault(error)
        } catch {
            throw .failed
        }
    }

    private static func call(for wish: PortalWish) -> BusCall {
        let path = "/org/freedesktop/portal/desktop"
        return switch wish {
        case .page(let address):
            BusCall(
                service: name, path: path, interface: "org.freedesktop.portal.OpenURI", method: "OpenURI",
                arguments: [.string(""), .string(address), .dictionary([:])])
        case .picture:
            BusCall(
                service: name, path: path, interface: "org.freedesktop.portal.Screenshot", method: "Screenshot",
                arguments: [.string(""), .dictionary(["interactive": .bool(true)])], patience: .seconds(30))
        }
    }

    static func fault(_ error: BusError) -> PortalFault {
        switch error {
        case .noBus, .noService: .absent
        case .noAnswer: .silent
        case .refused(let name, let words): lacking.contains(name) ? .noBackend : .refused(words)
        }
    }

    /// The errors of a portal without the interface of a wish: it exports one only if a backend has it.
    private static let lacking = Set(
        ["UnknownMethod", "UnknownInterface", "UnknownObject"].map { "org.freedesktop.DBus.Error.\($0)" })

    /// Reads the signal `Response` (`u` response, `a{sv}` results).
    static func answer(to wish: PortalWish, _ response: [BusValue]) -> PortalAnswer {
        switch (response.first?.uint32, wish) {
        case (0, .page): return .opened
        case (0, .picture):
            let prefix = "file://"
            guard let uri = response.last?.dictionary?["uri"]?.string, uri.hasPrefix(prefix + "/"),
                let path = Percent.decode(String(uri.dropFirst(prefix.count)))
            else { return .failed(.failed) }
            return .picture(path)
        case (1, _): return .cancelled
        default: return .failed(.failed)
        }
    }
}
