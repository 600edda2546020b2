import Basics
package import Keys

/// Connections that reconnecting replaces, while it is not known whether the bank took the new secrets.
extension Connection {
    /// The ids of all its secrets, also of those that it replaces.
    package var keyIDs: Set<KeyID> { Set([keyID] + replaced.map(\.keyID)) }

    /// This connection under the current one's name. Keeps the current one, and those that it replaces, in `replaced`.
    package func replacing(_ current: Connection) -> Connection {
        var new = self
        new.name = current.name
        var last = current
        last.replaced = []
        new.replaced = current.replaced + [last]
        return new
    }

    /// The newest connection that this one replaces and that its bank had confirmed; nil if there is none.
    package var earlier: Connection? {
        guard let restored else { return nil }
        return restored.status == .unconfirmed ? restored.earlier : restored
    }

    /// The connection that this one replaces, under the current name; nil if there is none.
    package var restored: Connection? {
        guard var restored = replaced.last else { return nil }
        restored.name = name
        restored.replaced = replaced.dropLast()
        return restored
    }
}
