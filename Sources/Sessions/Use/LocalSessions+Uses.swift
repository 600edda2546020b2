import Basics
package import FoundationEssentials

/// How often programs get tokens.
extension LocalSessions {
    /// By this grant a token is about to be handed out for the first time. From here on a cut knows of it.
    package func noteFirstUse(of grant: ProgramGrant) throws {
        guard grant.lastUsedAt == nil else { return }
        _ = try store.change(grant.id) { grant in
            grant.lastUsedAt = clock.now()
            return nil
        }
    }

    /// Whether the next token by this grant is one that the log is told of at once.
    package func isNoteDue(by grant: ProgramGrant) -> Bool {
        var counted = grant
        return counted.count(1, at: clock.now()) != nil
    }

    /// Counts tokens that were handed out by a grant, the last of them then, and notes it if that is due. Nothing happens where the grant is
    /// gone.
    package func count(_ uses: Int, by id: String, at date: Date) throws {
        let sessions = try store.sessions()
        do {
            _ = try store.change(id) { grant in
                guard let count = grant.count(uses, at: date),
                    let session = sessions.first(where: { $0.id == grant.session })
                else { return nil }
                return try notes.handedOut(count, by: grant, session)
            }
        } catch let error as StoreError where error.code == .notFound {}
    }

    /// Notes what this grant gave and the log was not told of, before the grant goes with its session or alone.
    func noteRest(of grant: ProgramGrant, _ session: SignIn) throws {
        var counted = grant
        guard counted.countRest(at: clock.now()) != nil else { return }
        do {
            _ = try store.change(grant.id) { grant in
                try grant.countRest(at: clock.now()).map { try notes.handedOut($0, by: grant, session) }
            }
        } catch let error as StoreError where error.code == .notFound {}
    }

    /// Notes what grants gave a day ago or more, and nobody asked for since.
    package func noteUses() throws {
        let now = clock.now()
        for grant in try store.grants() {
            var counted = grant
            if counted.count(0, at: now) != nil { try count(0, by: grant.id, at: now) }
        }
    }
}
