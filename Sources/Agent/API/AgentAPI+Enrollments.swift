internal import Authenticator
internal import Basics

extension AgentAPI {
    /// The body holds either a link, with or without a name, or a connection.
    struct NewEnrollment: JSONRequest, Encodable {
        static let members: Set = ["link", "name", "connection", "while_connected"]
        var link: String?
        var name: String?
        var connection: String?
        /// Whether it ends with the connection to the agent on which it was begun.
        var whileConnected: Bool?
    }

    struct Acceptance: JSONRequest, Encodable {
        static let members: Set = ["return_url"]
        var returnUrl: String
    }

    struct IncomingAddress: JSONRequest, Encodable {
        static let members: Set = ["address"]
        var address: String
    }

    static let enrollmentRoutes = [
        Route(.post, "/enrollments", body: .json) { inquiry in
            let wanted = try await inquiry.body(NewEnrollment.self)
            let opened = try await inquiry.agent.beginEnrollment(try EnrollmentRequest(wanted), for: inquiry.caller)
            if wanted.whileConnected == true {
                let agent = inquiry.agent
                _ = inquiry.presence.onDeparture { Task { await agent.endEnrollment(opened.id) } }
            }
            return .json(opened)
        },
        Route(.post, "/enrollments/{id}/accept", body: .json) {
            let acceptance = try await $0.body(Acceptance.self)
            return .json(try await $0.enrollment().accept(returnURL: acceptance.returnUrl))
        },
        Route(.post, "/enrollments/{id}/redirects", body: .json) {
            let incoming = try await $0.body(IncomingAddress.self)
            return .json(try await $0.enrollment().take(incoming.address))
        },
        Route(.delete, "/enrollments/{id}") {
            await $0.agent.endEnrollment($0["id"])
            return .done
        },
    ]
}

extension Inquiry {
    fileprivate func enrollment() async throws -> any EnrollmentSteps {
        guard let steps = try await agent.enrollment(self["id"]) else { throw EnrollmentError(.outOfTurn) }
        return steps
    }
}

extension EnrollmentRequest {
    fileprivate init(_ wanted: AgentAPI.NewEnrollment) throws {
        switch (wanted.link, wanted.connection) {
        case (let link?, nil): self = .link(link, name: try wanted.name.map(AgentAPI.connectionName))
        case (nil, let connection?) where wanted.name == nil: self = .again(connection)
        default: throw Failure.usage("an enrollment is of a link, with or without a name, or of a connection")
        }
    }
}
