/// The application of one home, `countersign-window` (Desktop Entry Specification, D-Bus Activation). The session bus starts that of the
/// default home where it is installed; that of another home is found while it runs.
package struct WindowApplication: Sendable {
    /// Its actions; each takes a text.
    package enum Action: String, Sendable, CaseIterable {
        /// Shows the request of this reference, or the list if the text is empty.
        case review
    }

    /// Its name on the session bus, and of its desktop file.
    package let id: String
    private let bus: DesktopBus

    /// `tag`: that of the home's `SocketPlace`.
    package init(bus: DesktopBus, tag: String?) {
        self.bus = bus
        id = Self.id(tag: tag)
    }

    package static func id(tag: String?) -> String {
        // A part of a bus name begins with no digit.
        "org.countersign.Countersign" + (tag.map { ".home" + $0 } ?? "")
    }

    /// Shows its window, and begins this action there. Returns whether it was there to take it.
    package func perform(_ action: Action, _ text: String) async -> Bool {
        guard !text.utf8.contains(0) else { return false }
        let call = BusCall(
            service: id, path: "/" + id.split(separator: ".").joined(separator: "/"),
            interface: "org.freedesktop.Application", method: "ActivateAction",
            arguments: [.string(action.rawValue), .variants([.string(text)]), .dictionary([:])],
            patience: .seconds(10))
        do {
            do {
                _ = try await bus.session.call(call)
            } catch .noService {
                _ = try await bus.session.call(.start(id, patience: call.patience))
                _ = try await bus.session.call(call)
            }
            return true
        } catch {
            return false
        }
    }
}
