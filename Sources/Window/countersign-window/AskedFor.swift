import Desktop

/// A function for each call of the application, as C passes it on: with an action and its text, or with neither.
final class AskedFor: Sendable {
    private let act: @MainActor (WindowApplication.Action?, String) -> Void

    private init(_ act: @escaping @MainActor (WindowApplication.Action?, String) -> Void) { self.act = act }

    static func retained(
        _ act: @escaping @MainActor (WindowApplication.Action?, String) -> Void
    ) -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(AskedFor(act)).toOpaque()
    }

    /// GTK calls it on the main thread, the texts are valid during the call, and the pointer is the retained one, until `release`.
    static let run:
        @convention(c) @Sendable (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Void = {
            context, action, text in
            guard let context else { return }
            let asked = Unmanaged<AskedFor>.fromOpaque(context).takeUnretainedValue()
            let action = action.flatMap { WindowApplication.Action(rawValue: String(cString: $0)) }
            let text = text.map { String(cString: $0) } ?? ""
            MainActor.assumeIsolated { asked.act(action, text) }
        }

    /// Called once for each `retained`.
    static let release: @convention(c) @Sendable (UnsafeMutableRawPointer?) -> Void = { context in
        if let context { Unmanaged<AskedFor>.fromOpaque(context).release() }
    }
}
