/// The signals by which a person or the system ends this process, as a renewal sees them.
package struct Interrupts: Sendable {
    /// Holds the signals back if true: a refresh token may be spent while its answer is not stored yet.
    package var hold: @Sendable (Bool) -> Void
    /// Whether a signal came while signals were held back.
    package var isPending: @Sendable () -> Bool

    package init(hold: @escaping @Sendable (Bool) -> Void, isPending: @escaping @Sendable () -> Bool) {
        self.hold = hold
        self.isPending = isPending
    }

    /// Holds no signals back.
    package static let none = Interrupts(hold: { _ in }, isPending: { false })
}
