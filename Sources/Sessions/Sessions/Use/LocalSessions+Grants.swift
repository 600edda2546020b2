import Basics
import FoundationEssentials
package import Keys
package import SessionModel

/// Grants of programs.
extension LocalSessions {
    package func grants() throws -> GrantsPayload {
        let names = try names()
        return GrantsPayload(
            try store.grants().map { GrantPayload($0, names[$0.session], at: clock.now()) },
            failures: .list(try store.damagedRows(), [.grant]))
    }

    /// Grants a program tokens by the person's options. Replaces the same earlier grants as `grant` does.
    package func allow(_ options: GrantOptions, by proof: ProvedPIN) throws -> OneGrantPayload {
        let session = try lookup().session(options.session.text)
        let wanted = TokenAim(scopes: options.scopes, resources: options.resources)
        try session.demand(wanted)
        return try grant(options.program, wanted, options.kinds, of: session, options.life, by: proof)
    }

    /// `session`: as the person saw it. Throws `SessionError` `noSession` if it is gone, and `changedMeanwhile` if it was signed in
    /// to again for something or somebody else. Replaces the program's grants for the same, and those for less at the same times.
    package func grant(
        _ program: Program, _ aim: TokenAim, _ kinds: [TokenKind], of session: SignIn, _ life: AllowOptions,
        by proof: ProvedPIN
    ) throws -> OneGrantPayload {
        let now = clock.now()
        guard let present = try store.sessions().first(where: { $0.id == session.id }) else {
            throw SessionError.noSession(wanted: session.name.text, near: [])
        }
        guard present.granted == session.granted, present.resources == session.resources,
            present.identity?.subject == session.identity?.subject
        else { throw SessionError.changedMeanwhile(session.name) }
        let grant = ProgramGrant(
            id: String(try makeID().prefix(8)), program: program, session: session.id,
            scopes: aim.scopes ?? session.granted,
            resources: aim.resources.isEmpty ? session.resources : aim.resources, kinds: kinds, use: life.use, at: now,
            until: life.seconds.map { now + TimeInterval($0) })
        let before = try store.grants().filter { former in
            former.program == program && former.session == session.id && former.kinds.allSatisfy(kinds.contains)
                && former.scopes.isSubset(of: grant.scopes)
                && former.resources.allSatisfy(grant.resources.contains)
                && (former.use == grant.use
                    || (former.scopes == grant.scopes && former.resources == grant.resources))
        }
        try store.add(grant, replacing: before.map(\.id), noting: try notes.granted(grant, present))
        return OneGrantPayload(GrantPayload(grant, session.name, at: now))
    }

    /// A program's grants; empty for a program that cannot be identified.
    package func grants(of program: Program?) throws -> GrantsPayload {
        let names = try names()
        let own = try store.grants().filter { $0.program == program }
        return GrantsPayload(own.map { GrantPayload($0, names[$0.session], at: clock.now()) })
    }

    /// The sessions of which a program may have something now; empty for a program that cannot be identified.
    package func list(for program: Program?) throws -> OwnSessionsPayload {
        let now = clock.now()
        let own = try store.grants().filter { $0.program == program && !$0.isOver(at: now) }
        let ids = Set(own.map(\.session))
        return OwnSessionsPayload(try store.sessions().filter { ids.contains($0.id) }.map(payload))
    }

    /// `cut`: also ends the tokens that the grant handed out. If that fails, the grant is removed all the same.
    package func revokeGrant(_ id: String, cut isCut: Bool = false) async throws -> RevokedGrantPayload {
        let grant = try grant(id)
        let session = try store.sessions().first { $0.id == grant.session }
        let name = session?.name
        try remove(grant, of: session, isCut ? .cut : nil)
        let payload = GrantPayload(grant, name, at: clock.now())
        guard isCut else { return RevokedGrantPayload(payload, tokensUntil: try tokensUntil(grant), isCut: nil) }
        let cut: Cut
        do {
            cut = try await self.cut(grant)
        } catch {
            cut = Cut(isWhole: false, until: try tokensUntil(grant))
        }
        return RevokedGrantPayload(payload, tokensUntil: cut.until, isCut: cut.isWhole)
    }

    /// A program signs itself out: all its grants are removed. Tokens that it has stay good until they run out.
    package func revoke(allOf program: Program) throws {
        let sessions = try store.sessions()
        for grant in try store.grants() where grant.program == program {
            try remove(grant, of: sessions.first { $0.id == grant.session }, .byItself)
        }
    }

    /// `session`: nil if it is gone; then nothing is noted.
    private func remove(_ grant: ProgramGrant, of session: SignIn?, _ how: NoteMaker.Revocation?) throws {
        if let session { try noteRest(of: grant, session) }
        try store.removeGrant(grant.id, noting: try session.map { try notes.revoked(grant, $0, how) })
    }

    /// Finds a grant by its id, or by a beginning that only its id has.
    private func grant(_ id: String) throws -> ProgramGrant {
        let found = try store.grants().filter { !id.isEmpty && $0.id.hasPrefix(id) }
        guard let grant = found.first, found.count == 1 else { throw SessionError.noGrant(id) }
        return grant
    }

    private func names() throws -> [SessionID: SessionName] {
        Dictionary(try store.sessions().map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    }
}

extension SignIn {
    /// Throws `SessionError` `beyond` for scopes or resources that the issuer did not grant.
    package func demand(_ aim: TokenAim) throws(SessionError) {
        let scopes = aim.scopes?.all.filter { !granted.contains($0) } ?? []
        let services = aim.resources.filter { !resources.contains($0) }.map(\.text)
        guard scopes.isEmpty, services.isEmpty else { throw .beyond(self, scopes: scopes, resources: services) }
    }
}
