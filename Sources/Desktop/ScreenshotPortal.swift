import Basics
import CSecret

/// Takes a picture of the screen through the desktop's portal (org.freedesktop.portal.Screenshot), which asks the
/// person first.
public enum ScreenshotPortal {
    private static let name = "org.freedesktop.portal.Desktop"
    private static let service = BusService(
        name: name, signals: [.init(interface: "org.freedesktop.portal.Request", member: "Response")])
    private static let call = BusCall(
        service: name, path: "/org/freedesktop/portal/desktop", interface: "org.freedesktop.portal.Screenshot",
        method: "Screenshot", arguments: [.string(""), .dictionary(["interactive": .bool(true)])],
        patience: .seconds(30))

    /// Returns the path of the picture's file, which the caller must delete. Waits at most `patience` for the person.
    /// Throws `Failure`, of the kind `cancelled` when the person refused.
    public static func take(patience: Duration = .seconds(600)) async throws -> String {
        guard csecret_load() == nil else { throw absent }
        let bus = MessageBus(.session, on: BusThread(), retryAfter: .seconds(15))
        let (answers, continuation) = AsyncStream.makeStream(of: BusSignal.self)
        // Watched before the call, so that the answer cannot be missed.
        await bus.watch(service) { event in
            switch event {
            case .signal(let signal): continuation.yield(signal)
            case .vanished: continuation.finish()
            case .appeared: break
            }
        }
        let request = try await request(on: bus)
        let limit = Task {
            try await Task.sleep(for: patience)
            continuation.finish()
        }
        defer { limit.cancel() }
        for await answer in answers where answer.path == request { return try path(in: answer.arguments) }
        throw Failure(.internal, "the desktop did not say that it took a picture", hint: hint)
    }

    /// Asks for a picture; returns the path of the object that will answer.
    private static func request(on bus: MessageBus) async throws -> String {
        do {
            // An error is ignored: a bus that cannot start the portal answers with one even when it is running already.
            _ = try? await bus.call(.start(name, patience: .seconds(30)))
            guard case .string(let path)? = try await bus.call(call).values.first else { throw absent }
            return path
        } catch _ as BusError {
            throw absent
        }
    }

    /// The path in the portal's signal `Response` (`u` response, `a{sv}` results).
    private static func path(in answer: [BusValue]) throws -> String {
        if answer.first?.uint32 == 1 { throw Failure.cancelled }
        let prefix = "file://"
        guard answer.first?.uint32 == 0, let uri = answer.last?.dictionary?["uri"]?.string,
            uri.hasPrefix(prefix + "/"), let path = Percent.decode(String(uri.dropFirst(prefix.count)))
        else { throw Failure(.internal, "the desktop took no picture of the screen", hint: hint) }
        return path
    }

    private static let absent = Failure(
        .internal, "this desktop has no portal that takes pictures of the screen", hint: hint)
    private static let hint =
        "take the picture by another program, and give its file to --image; or: apt install xdg-desktop-portal, and the "
        + "portal of your desktop (xdg-desktop-portal-gnome, -kde, -wlr, …)"
}
