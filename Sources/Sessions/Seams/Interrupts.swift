/// The signals by which a person or the system ends this process, as a renewal sees them.
public struct Interrupts: Sendable {
    /// Called with true while a refresh token may be spent and its answer is not stored yet: meanwhile they wait.
    public var hold: @Sendable (Bool) -> Void
    /// Whether one came while it had to wait.
    public var isPending: @Sendable () -> Bool

    public init(hold: @escaping @Sendable (Bool) -> Void, isPending: @escaping @Sendable () -> Bool) {
        self.hold = hold
        self.isPending = isPending
    }

    /// Where nothing waits.
    public static let none = Interrupts(hold: { _ in }, isPending: { false })
}
