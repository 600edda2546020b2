package import Basics

/// The verbs of approvals: everything that a front end can ask for.
package enum ApprovalVerbs {
    /// The verbs that need only the open vault. The agent serves each of them.
    package static let onVault = [
        connections.untyped, rename.untyped, revoke.untyped, prove.untyped, authorization.untyped, history.untyped,
        candidates.untyped, claim.untyped, consents.untyped, revokeConsent.untyped,
    ]

    // MARK: Connections

    static let connections = VaultVerb<NoInput, ConnectionsPayload>("connections", .get, "/connections") {
        operations, _, _ in try await operations.connections()
    }

    static let rename = VaultVerb<NewName, OneConnectionPayload>(
        "rename", .patch, "/connections/{name}", change: { "renames the connection \($0)" }
    ) { try await $0.rename($1, to: $2.name) }

    static let revoke = VaultVerb<RevokeOptions, RevokedPayload>(
        "revoke", .delete, "/connections/{name}", change: { "ends the connection \($0) and destroys its key" }
    ) { try await $0.revoke($1, localOnly: $2.localOnly) }

    static let prove = VaultVerb<NoInput, NoOutput>(
        "prove", .post, "/connections/{name}/prove", endsWithCaller: true
    ) { operations, name, _ in
        try await operations.prove(name)
        return NoOutput()
    }

    // MARK: Authorizations

    package static let pending = Verb<PendingRequest, PendingRound>(
        "pending", .get, "/authorizations", while: .open, answer: .lines)

    static let authorization = VaultVerb<CardOptions, Card>(
        "authorization", .get, "/authorizations/{ref}", missing: .noAuthorization
    ) { try await $0.card($1, abbreviated: $2.abbreviated, withSource: $2.withSource) }

    package static let approve = Verb<DecisionRequest.Terms, DecisionPayload>(
        "approve", .post, "/authorizations/{ref}/approve", effect: .decision, while: .open, pin: .needed)

    package static let deny = Verb<DecisionRequest.Terms, DecisionPayload>(
        "deny", .post, "/authorizations/{ref}/deny", effect: .decision, while: .open, pin: .ifNeeded)

    /// The front end no longer waits for the outcome of a decision.
    package static let giveUp = Verb<NoInput, NoOutput>(
        "giveUp", .delete, "/authorizations/{ref}/wait", effect: .change, while: .any)

    static let history = VaultVerb<HistoryRequest, HistoryPayload>("history", .get, "/history") {
        operations, _, request in try await operations.history(request)
    }

    // MARK: Actions and consents

    // The link holds a one-time secret, so it goes into the body, not into path or query.
    static let candidates = VaultVerb<CandidatesRequest, ConnectionsPayload>(
        "candidates", .post, "/actions/candidates", endsWithCaller: true
    ) { operations, _, action in try await operations.candidates(for: action.link) }

    static let claim = VaultVerb<ClaimRequest, ActionPayload>(
        "claim", .post, "/actions",
        change: { _ in "does what a link asks for, which may sign in whoever shows the link" }
    ) {
        operations, _, claim in
        try await operations.claim(
            claim.link, for: claim.connection, isClicked: claim.clicked, isListed: claim.listed)
    }

    static let consents = VaultVerb<ConsentsRequest, ConsentsRound>("consents", .get, "/consents") {
        operations, _, request in try await operations.consents(request.connection)
    }

    static let revokeConsent = VaultVerb<NoInput, ConsentRevokedPayload>(
        "revokeConsent", .delete, "/consents/{ref}", missing: .noConsent,
        change: { "revokes the consent \($0)" }
    ) { operations, ref, _ in try await operations.revokeConsent(ref) }

    // MARK: Enrollment

    package static let beginEnrollment = Verb<NewEnrollment, OpenEnrollment>(
        "beginEnrollment", .post, "/enrollments", while: .open)

    // While locked, an enrollment that has ended is still reported as ended; a running one needs the open agent.
    package static let accept = Verb<Acceptance, EnrollmentNext>(
        "accept", .post, "/enrollments/{id}/accept", effect: .change, while: .any)

    package static let redirect = Verb<IncomingAddress, RedirectVerdict>(
        "redirect", .post, "/enrollments/{id}/redirects", effect: .change, while: .any)

    package static let endEnrollment = Verb<NoInput, NoOutput>(
        "endEnrollment", .delete, "/enrollments/{id}", effect: .change, while: .any)
}
