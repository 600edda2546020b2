/// How many connections there are, which is known without the PIN.
public struct ConnectionCounts: Sendable, Equatable {
    /// Those that their banks know, as far as is known here.
    public var living: Int
    /// Those that their banks no longer know.
    public var ended: Int

    public init(living: Int, ended: Int) {
        self.living = living
        self.ended = ended
    }
}
