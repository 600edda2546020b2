/// The signals by which a person or the system ends this process, as a renewal sees them.
public struct Interrupts: Sendable {
    /// Holds the signals back if true: a refresh token may be spent while its answer is not stored yet.
    public var hold: @Sendable (Bool) -> Void
    /// Whether a signal came while signals were held back.
    public var isPending: @Sendable () -> Bool

    public init(hold: @escaping @Sendable (Bool) -> Void, isPending: @escaping @Sendable () -> Bool) {
        self.hold = hold
        self.isPending = isPending
    }

    /// Holds no signals back.
    public static let none = Interrupts(hold: { _ in }, isPending: { false })
}
