import Basics
package import FoundationEssentials
import Keys
package import SessionModel

/// How often programs get tokens.
extension LocalSessions {
    /// Notes that this grant is about to hand out its first token, so that a cut knows of it from here on.
    package func noteFirstUse(of grant: ProgramGrant) throws {
        guard grant.lastUsedAt == nil else { return }
        _ = try store.change(grant.id) { grant in
            grant.lastUsedAt = clock.now()
            return nil
        }
    }

    /// Whether the next token of this grant must be logged at once.
    package func isNoteDue(by grant: ProgramGrant) -> Bool {
        var counted = grant
        return counted.count(1, at: clock.now()) != nil
    }

    /// Counts tokens that a grant handed out, the last of them at `date`, and notes the count if that is due. Does nothing if the
    /// grant is gone.
    package func count(_ uses: Int, by id: String, at date: Date) throws {
        let sessions = try store.sessions()
        do {
            _ = try store.change(id) { grant in
                guard let count = grant.count(uses, at: date),
                    let session = sessions.first(where: { $0.id == grant.session })
                else { return nil }
                return try notes.handedOut(count, by: grant, session)
            }
        } catch StoreError.notFound {}
    }

    /// Notes the uses of this grant that the log does not have yet, before the grant is removed, alone or with its
    /// session.
    func noteRest(of grant: ProgramGrant, _ session: SignIn) throws {
        var counted = grant
        guard counted.countRest(at: clock.now()) != nil else { return }
        do {
            _ = try store.change(grant.id) { grant in
                try grant.countRest(at: clock.now()).map { try notes.handedOut($0, by: grant, session) }
            }
        } catch StoreError.notFound {}
    }

    /// Notes the tokens that grants handed out since their last note, if that is a day old or more.
    package func noteUses() throws {
        let now = clock.now()
        for grant in try store.grants() {
            var counted = grant
            if counted.count(0, at: now) != nil { try count(0, by: grant.id, at: now) }
        }
    }
}
