import Basics
import Keys
import SessionModel

/// Renewals. The caller has the turn.
extension TokenKeeper {
    /// Completes the renewal whose answer was lost. `good`: a token that will do if that brings nothing.
    func completed(
        _ tokens: TokenSet, _ session: SignIn, _ aim: TokenAim, _ good: AccessToken
    ) async throws -> AccessToken {
        do { return try await renew(tokens, session, aim, old: good) } catch let error as SessionError {
            switch error {
            case .renewal, .aimRefused: break
            default: throw error
            }
            // A renewal of something else may have come in between.
            guard let old = try usable(try read(session), session, aim) else { throw error }
            return old
        }
    }

    /// `old`: a token that may be handed out if nothing new comes.
    func renew(
        _ found: TokenSet, _ session: SignIn, _ aim: TokenAim, old: AccessToken?
    ) async throws -> AccessToken {
        guard found.isRefreshable, let secret = found.refreshToken?.secret else {
            throw found.end.map { SessionError.signedOut(session.name, $0) } ?? .ranOut(session)
        }
        if let rest = found.rest?.secondsLeft(at: Moment(clock)), rest > 0 {
            if let old { return old }
            throw SessionError.renewal(
                session.name,
                .later(reason: "the issuer of \(session.name.text) wants to be left alone", retryAfter: rest))
        }
        if let refusal = found.refusal(of: aim, at: Moment(clock)) {
            throw SessionError.aimRefused(session, aim, refusal)
        }
        // A lost answer can be had again only for a short while, so fetch nothing else first.
        let session = found.mark == nil ? await upToDate(session) : session
        var tokens = found
        // If the mark's aim was refused before, ask for the present aim.
        if let marked = found.mark?.aim, found.refusal(of: marked, at: Moment(clock)) != nil { tokens.mark?.aim = aim }
        var machine = RefreshMachine(generation: found.generation, aim: aim, mark: tokens.mark)
        var hasSent = false
        func hasGoodToken() -> Bool { old?.lasts(0, at: Moment(clock), isRefreshable: true) ?? false }
        var effect = machine.start(at: Moment(clock), hasGoodToken: hasGoodToken())
        defer { interrupts.hold(false) }
        while true {
            switch effect {
            case .write(let mark):
                if hasSent { try endIfInterrupted(session) }
                tokens.mark = mark
                do { try write(tokens, of: session) } catch let error as StoreError where error.isPassing {
                    guard let old, hasGoodToken() else { throw error }
                    return old
                }
                unsaved.wrote(mark, of: session.id)
                effect = machine.marked()
            case .send:
                interrupts.hold(true)
                hasSent = true
                let request = request(for: tokens.mark?.aim ?? aim, tokens, session)
                let answer = await service.calling(session.issuer)
                    .refresh(secret, request, as: session.client, at: session.issuer)
                if answer.doubtsClient { tokens.isClientInDoubt = true }
                effect = machine.answered(answer, at: Moment(clock), hasGoodToken: hasGoodToken())
            case .wait(let seconds):
                try endIfInterrupted(session)
                interrupts.hold(false)
                try await clock.sleep(for: .seconds(seconds))
                effect = machine.waited(until: Moment(clock))
            case .store(let grant, let afterInterruption):
                let sent = tokens.mark?.aim ?? aim
                let next = try await keep(grant, tokens, session, sent, afterInterruption)
                if sent == aim { return try newest(of: next, session) }
                // An interrupted renewal for something else was completed; the present aim comes next.
                guard !interrupts.isPending() else { throw SessionError.declined }
                return try await renew(next, session, aim, old: nil)
            case .keep(let secret, let reason):
                try await persist(
                    tokens.renewed(by: secret, reason), after: tokens.mark, of: session, noting: nil)
                if let old, hasGoodToken() { return old }
                throw SessionError.renewal(session.name, .unusable(reason: reason))
            case .useOld:
                guard let old else { throw SessionError.ranOut(session) }
                return old
            case .end(let reason):
                let note = try notes.ended(session, reason)
                do { try write(tokens.ended(reason), of: session, noting: note) } catch let error as StoreError
                    where error.isPassing
                {}
                if let old, hasGoodToken() { return old }
                throw SessionError.signedOut(session.name, reason)
            case .fail(let failure, let clearsMark):
                let sent = tokens.mark?.aim ?? aim
                try note(failure, clearsMark, in: &tokens, of: session, sent, wanting: aim)
                if let old, hasGoodToken(), failure.isPassing { return old }
                // Nothing was sent since the last answer, which could not be used.
                if !hasSent, let reason = found.trouble {
                    throw SessionError.renewal(session.name, .unusable(reason: reason))
                }
                throw failure.error(session, sent)
            }
        }
    }

    private func request(for aim: TokenAim, _ tokens: TokenSet, _ session: SignIn) -> RefreshRequest {
        RefreshRequest(
            scopes: aim.scopes ?? (tokens.isExplicit ? session.granted : nil),
            resources: aim.resources.isEmpty ? session.resources : aim.resources,
            resourceParameter: session.extras.resourceParameter)
    }

    /// Throws if an interrupt is pending. The mark and the good tokens stay.
    private func endIfInterrupted(_ session: SignIn) throws {
        if interrupts.isPending() { throw SessionError.interrupted(session.name) }
    }

    /// Writes the consequences of a failure for the next renewal. If they cannot be written, the mark stays, which is
    /// safe.
    private func note(
        _ failure: RenewalFailure, _ clearsMark: Bool, in tokens: inout TokenSet, of session: SignIn,
        _ sent: TokenAim, wanting aim: TokenAim
    ) throws {
        if clearsMark { tokens.mark = nil }
        switch failure {
        case .later(_, let seconds):
            if let seconds { tokens.rest = TokenSet.Rest(seconds, since: Moment(clock)) }
            tokens.mark?.isAnswered = true
        case .refused(let rejection):
            tokens = tokens.refused(sent, by: rejection, at: Moment(clock))
            // This aim was refused, so the next attempt asks for the present one.
            tokens.mark?.aim = aim
            tokens.mark?.isAnswered = true
        case .unusable(let reason): tokens.trouble = reason
        case .unreachable, .noAnswer: if !clearsMark { return }
        }
        do { try write(tokens, of: session) } catch let error as StoreError where error.isPassing {}
    }

    /// Stores the result of a renewal, then judges it.
    private func keep(
        _ grant: TokenGrant, _ tokens: TokenSet, _ session: SignIn, _ aim: TokenAim, _ afterInterruption: Bool
    ) async throws -> TokenSet {
        var next = tokens.renewed(by: grant, for: aim, scopes: aim.scopes ?? session.granted, at: Moment(clock))
        if session.identity == nil {
            next.dropIDToken()
        } else if grant.idToken != nil {
            next.unjudgedSince = grant.serverTime ?? clock.now()
        }
        // Store the tokens even if the note cannot be made.
        let note = afterInterruption ? try? notes.completed(session) : nil
        try await persist(next, after: tokens.mark, of: session, noting: note)
        interrupts.hold(false)
        return try await compared(try await judged(next, of: session), session)
    }

    /// Finds out, once in a session, whether this issuer's renewals end the access tokens of earlier ones: then those
    /// of other scopes cannot be used beside the newest. Only UserInfo can answer that, for a token that is good there.
    private func compared(_ tokens: TokenSet, _ session: SignIn) async throws -> TokenSet {
        guard tokens.endsEarlier == nil, session.identity != nil, session.issuer.userInfoEndpoint != nil,
            let earlier = tokens.access.dropFirst().first(where: { token in
                !token.isDoubtful && token.type == .bearer && token.scopes.contains("openid")
                    && token.aim.resources.isEmpty && token.lasts(0, at: Moment(clock), isRefreshable: true)
            })
        else { return tokens }
        let endsEarlier: Bool
        do {
            _ = try await service.calling(session.issuer).userInfo(earlier.token.secret, at: session.issuer)
            endsEarlier = false
        } catch .refused(let rejection) where rejection.status == 401 {
            endsEarlier = true
        } catch {
            return tokens
        }
        let known = tokens.knowing(endsEarlier: endsEarlier)
        do { try write(known, of: session) } catch let error as StoreError where error.isPassing { return tokens }
        return known
    }

    private func newest(of tokens: TokenSet, _ session: SignIn) throws -> AccessToken {
        guard let token = tokens.access.first else { throw SessionError.ranOut(session) }
        if case .other(let type) = token.type { throw SessionError.unknownType(session.name, type) }
        return token
    }
}

extension TokenAnswer {
    /// Whether it may mean that the issuer has forgotten the client.
    fileprivate var doubtsClient: Bool {
        guard case .rejected(let rejection) = self else { return false }
        return rejection.kind == .client || rejection.kind == .unexplained
    }
}

extension RenewalFailure {
    /// Whether it says nothing about the session: then a token that is still good will do for now.
    fileprivate var isPassing: Bool {
        switch self {
        case .refused: false
        case .later, .unreachable, .unusable, .noAnswer: true
        }
    }

    /// `sent`: the aim of the request.
    fileprivate func error(_ session: SignIn, _ sent: TokenAim) -> SessionError {
        if case .refused(let rejection) = self, rejection.kind == .scope || rejection.kind == .target {
            return .aimRefused(session, sent, rejection)
        }
        return .renewal(session.name, self)
    }
}
