import Basics
import CSecret

/// A picture of the screen, taken by the desktop's portal (org.freedesktop.portal.Screenshot), which asks the person about it.
public enum ScreenshotPortal {
    private static let name = "org.freedesktop.portal.Desktop"
    private static let service = BusService(
        name: name, signals: [.init(interface: "org.freedesktop.portal.Request", member: "Response")])
    private static let call = BusCall(
        service: name, path: "/org/freedesktop/portal/desktop", interface: "org.freedesktop.portal.Screenshot",
        method: "Screenshot", arguments: [.string(""), .dictionary(["interactive": .bool(true)])],
        patience: .seconds(30))

    /// The path of the picture's file, which is the caller's to delete. Waits for the person for `patience` at most. Throws
    /// `Failure`: cancelled when the person took none.
    public static func take(patience: Duration = .seconds(600)) async throws -> String {
        guard csecret_load() == nil else { throw absent }
        let bus = MessageBus(.session, on: BusThread(), retryAfter: .seconds(15))
        let (answers, continuation) = AsyncStream.makeStream(of: BusSignal.self)
        // Before the call, so that no answer comes too soon.
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

    /// The path of the object that will answer.
    private static func request(on bus: MessageBus) async throws -> String {
        do {
            // Where it runs already, a bus that could not start it answers with an error.
            _ = try? await bus.call(.start(name, patience: .seconds(30)))
            guard case .string(let path)? = try await bus.call(call).values.first else { throw absent }
            return path
        } catch _ as BusError {
            throw absent
        }
    }

    /// Response (u response, a{sv} results).
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
