package import Basics

extension ResourceIndicator {
    /// Whether the address is this resource, or lies under it by whole segments of the path.
    package func covers(_ address: WebAddress) -> Bool { covered(of: address) != nil }

    /// How many bytes of the address's path this resource covers; nil if the address does not lie under it. The origin must be the
    /// same, and paths are compared by whole segments (`ClearPath`).
    package func covered(of address: WebAddress) -> Int? {
        guard let base = try? WebAddress(text), base.origin == address.origin, base.query == nil,
            let own = ClearPath(base), let asked = ClearPath(address), asked.isUnder(own)
        else { return nil }
        return base.base.path.utf8.count
    }
}
