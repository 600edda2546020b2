import Basics
package import Verbs

/// The verbs of approvals: everything that a front end can ask for.
package enum ApprovalVerbs {
    /// All of them, as the agent serves them.
    package static let all = [
        connections.untyped, rename.untyped, revoke.untyped, prove.untyped, pending.untyped, authorization.untyped,
        approve.untyped, deny.untyped, giveUp.untyped, history.untyped, candidates.untyped, claim.untyped,
        consents.untyped, revokeConsent.untyped,
    ]

    // MARK: Connections

    package static let connections = ApprovalVerb<NoInput, ConnectionsPayload>("connections", .get, "/connections") {
        operations, _ in try await operations.connections()
    }

    package static let rename = ApprovalVerb<NewName, OneConnectionPayload>(
        "rename", .patch, "/connections/{name}", change: { "renames the connection \($0)" }
    ) { try await $0.rename($1.name, to: $1.input.name) }

    package static let revoke = ApprovalVerb<RevokeOptions, RevokedPayload>(
        "revoke", .delete, "/connections/{name}", change: { "ends the connection \($0) and destroys its key" }
    ) { try await $0.revoke($1.name, localOnly: $1.input.localOnly) }

    package static let prove = ApprovalVerb<NoInput, NoOutput>(
        "prove", .post, "/connections/{name}/prove", endsWithCaller: true
    ) { operations, call in
        try await operations.prove(call.name)
        return NoOutput()
    }

    // MARK: Authorizations

    package static let pending = ApprovalVerb<PendingRequest, PendingRound>(
        "pending", .get, "/authorizations", while: .open, answer: .lines
    ) { host, call in
        let connection = call.input.connection
        guard !call.input.known else { return try await host.known(connection) }
        return try await host.operations(to: nil).pending(connection)
    }

    package static let authorization = ApprovalVerb<CardOptions, Card>(
        "authorization", .get, "/authorizations/{ref}", missing: LookupError.noAuthorization
    ) { try await $0.card($1.name, abbreviated: $1.input.abbreviated, withSource: $1.input.withSource) }

    package static let approve = ApprovalVerb<DecisionRequest.Terms, DecisionPayload>(
        "approve", .post, "/authorizations/{ref}/approve", effect: .decision, while: .open, pin: .needed,
        missing: LookupError.needsWholeReference
    ) { host, call in try await host.approve(DecisionRequest(ref: call.name, call.input), pin: call.pin) }

    package static let deny = ApprovalVerb<DecisionRequest.Terms, DecisionPayload>(
        "deny", .post, "/authorizations/{ref}/deny", effect: .decision, while: .open, pin: .ifNeeded,
        missing: LookupError.needsWholeReference
    ) { host, call in try await host.deny(DecisionRequest(ref: call.name, call.input), pin: call.pin) }

    /// The front end no longer waits for the outcome of a decision.
    package static let giveUp = ApprovalVerb<NoInput, NoOutput>(
        "giveUp", .delete, "/authorizations/{ref}/wait", effect: .change, while: .any
    ) { host, call in
        guard await host.giveUp(call.name) else { throw Failure(.notFound, "no decision on this is under way") }
        return NoOutput()
    }

    package static let history = ApprovalVerb<HistoryRequest, HistoryPayload>("history", .get, "/history") {
        try await $0.history($1.input)
    }

    // MARK: Actions and consents

    // The link holds a one-time secret, so it goes into the body, not into path or query.
    package static let candidates = ApprovalVerb<CandidatesRequest, ConnectionsPayload>(
        "candidates", .post, "/actions/candidates", endsWithCaller: true
    ) { try await $0.candidates(for: $1.input.link) }

    package static let claim = ApprovalVerb<ClaimRequest, ActionPayload>(
        "claim", .post, "/actions",
        change: { _ in "does what a link asks for, which may sign in whoever shows the link" }
    ) { operations, call in
        let claim = call.input
        return try await operations.claim(
            claim.link, for: claim.connection, isClicked: claim.clicked, isListed: claim.listed)
    }

    package static let consents = ApprovalVerb<ConsentsRequest, ConsentsRound>("consents", .get, "/consents") {
        try await $0.consents($1.input.connection)
    }

    package static let revokeConsent = ApprovalVerb<NoInput, ConsentRevokedPayload>(
        "revokeConsent", .delete, "/consents/{ref}", missing: LookupError.noConsent,
        change: { "revokes the consent \($0)" }
    ) { operations, call in try await operations.revokeConsent(call.name) }
}
