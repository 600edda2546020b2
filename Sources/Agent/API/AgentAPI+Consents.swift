extension AgentAPI {
    private struct Action: JSONRequest {
        static let members: Set = ["link"]
        var link: String
    }

    private struct Claim: JSONRequest {
        static let members: Set = ["link", "connection"]
        var link: String
        var connection: String
    }

    /// The routes of consents and instant actions.
    static let consentRoutes = [
        Route(.get, "/consents", query: ["connection"]) {
            .json(try await $0.operations().consents($0.query["connection"]))
        },
        Route(.delete, "/consents/{ref}") { .json(try await $0.operations().revokeConsent($0["ref"])) },
        // A link holds a one-time secret, so it stands in no path.
        Route(.post, "/actions/candidates", body: .json, endsWithCaller: true) {
            let action = try await $0.body(Action.self)
            return .json(try await $0.operations().candidates(for: action.link))
        },
        Route(.post, "/actions", body: .json) {
            let claim = try await $0.body(Claim.self)
            return .json(try await $0.operations().claim(claim.link, for: claim.connection))
        },
    ]
}
