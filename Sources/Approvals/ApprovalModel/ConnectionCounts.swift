/// How many connections there are, which is known without the PIN.
package struct ConnectionCounts: Sendable, Equatable {
    /// Those that their banks know, as far as is known here.
    package var living: Int
    /// Those that their banks no longer know.
    package var ended: Int

    package init(living: Int, ended: Int) {
        self.living = living
        self.ended = ended
    }
}
