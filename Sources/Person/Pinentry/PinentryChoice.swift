/// The button that a person pressed in a window with three.
package enum PinentryChoice: Sendable {
    case ok
    /// The third one, `PinentryQuestion.other`.
    case other
    case cancel
}
