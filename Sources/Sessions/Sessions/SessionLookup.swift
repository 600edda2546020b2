package import Basics
package import SessionModel

/// Finds the session that a person or a program means.
package struct SessionLookup: Sendable {
    private let sessions: [SignIn]

    package init(_ sessions: [SignIn]) { self.sessions = sessions }

    /// By its name, or by its issuer's address; nil means the only session. Throws `SessionError`.
    package func session(_ wanted: String?) throws(SessionError) -> SignIn {
        guard !sessions.isEmpty else { throw .noSessions }
        guard let wanted else { return try one(of: sessions, wanted) }
        if let named = sessions.first(where: { $0.name.text == wanted }) { return named }
        let near = Likeness.nearest(to: wanted, among: sessions.map(\.name.text))
        guard let address = try? WebAddress(wanted) else { throw .noSession(wanted: wanted, near: near) }
        let ofIssuer = sessions.filter { $0.issuer.issuer.isFound(at: address) }
        guard !ofIssuer.isEmpty else { throw .noSession(wanted: wanted, near: near) }
        return try one(of: ofIssuer, wanted)
    }

    /// The session whose token goes with a request to this address, and its resource that covers the address. The resource that
    /// covers most of the address wins. If several sessions fit, those that ended do not count. Throws `SessionError` `noResource`,
    /// and `ambiguous` unless exactly one session is left.
    package func session(
        for address: WebAddress, hasEnded: (SignIn) -> Bool = { _ in false }
    ) throws(SessionError) -> (SignIn, ResourceIndicator) {
        var best: [(SignIn, ResourceIndicator)] = []
        var length = -1
        for session in sessions {
            for resource in session.resources {
                guard let covered = resource.covered(of: address), covered >= length else { continue }
                if covered > length { best = [] }
                length = covered
                best.append((session, resource))
            }
        }
        guard !best.isEmpty else { throw .noResource(address.origin + address.path) }
        let living = best.count == 1 ? best : best.filter { !hasEnded($0.0) }
        guard let found = living.first, living.count == 1 else {
            throw .ambiguous(wanted: address.origin + address.path, candidates: best.map(\.0.name.text))
        }
        return found
    }

    private func one(of sessions: [SignIn], _ wanted: String?) throws(SessionError) -> SignIn {
        guard sessions.count == 1 else {
            throw .ambiguous(wanted: wanted, candidates: sessions.map(\.name.text).sorted())
        }
        return sessions[0]
    }
}
