public import Authenticator
public import Basics
public import SCA

/// The operations of a running agent, asked for over its socket.
public struct SocketOperations: Operations {
    let line: AgentLine

    init(_ line: AgentLine) { self.line = line }

    public var locksItself: Bool { true }

    // MARK: The agent

    public func status() async throws -> StatusPayload { try await line.get("/status") }

    /// Opens for the person. Without a PIN the agent asks for it by its own prompt.
    public func unlock(_ pin: (any Secret)?, from source: PINSource) async throws -> StatusPayload {
        try await line.call(
            .init("POST", "/unlock", .question, body: pin.map { .secret($0) } ?? .none, headers: [source.header]))
    }

    /// Shuts what the PIN opened.
    public func shut() async throws -> StatusPayload { try await line.call(.init("POST", "/lock", .question)) }

    /// As `shut`, by an agent of any version.
    public func lock() async throws { try await line.tell(.init("POST", "/lock", .question)) }

    /// Nothing is lost when nobody hears it, so only a lock is told.
    public func use() async throws {
        do {
            try await line.tell(.init("POST", "/use", .question))
        } catch let failure as Failure where failure.kind != .locked {}
    }

    // MARK: Connections

    public func connections() async throws -> ConnectionsPayload { try await line.get("/connections") }

    public func rename(_ name: String, to new: ConnectionName) async throws -> OneConnectionPayload {
        try await line.call(.init("PATCH", try path(name), .change, json: ["name": new.text]))
    }

    public func revoke(_ name: String, localOnly: Bool) async throws -> RevokedPayload {
        try await line.call(
            .init("DELETE", try path(name) + URLText.query(["local_only": localOnly ? "true" : nil]), .change))
    }

    public func prove(_ name: String) async throws {
        try await line.tell(.init("POST", try path(name) + "/prove", .question))
    }

    private func path(_ name: String) throws -> String {
        try line.path("/connections/", name, else: LookupError(.noConnection, wanted: name))
    }

    // MARK: Authorizations

    public func pending(_ connection: String?) async throws -> PendingRound {
        try await line.round("/authorizations" + URLText.query(["connection": connection]))
    }

    /// What waits as far as the agent knows: it asks no bank.
    public func known() async throws -> PendingRound { try await line.round("/authorizations?known=true") }

    public func card(_ ref: String, abbreviated: Bool, withSource: Bool) async throws -> Card {
        let path = try line.path("/authorizations/", ref, else: LookupError(.noAuthorization, wanted: ref))
        return try await line.get(
            path
                + URLText.query([
                    "abbreviated": abbreviated ? "true" : nil, "source": withSource ? "true" : nil,
                ]))
    }

    public func history(_ request: HistoryRequest) async throws -> HistoryPayload {
        try await line.get(
            "/history"
                + URLText.query([
                    "connection": request.connection, "since": request.since,
                    "limit": request.limit.map { String($0) }, "verify": request.isVerified ? "true" : nil,
                    "source": request.withSource ? "true" : nil,
                ]))
    }

    // MARK: Actions and consents

    public func candidates(for action: String) async throws -> ConnectionsPayload {
        try await line.call(.init("POST", "/actions/candidates", .question, json: ["link": action]))
    }

    public func claim(_ action: String, for connection: String) async throws -> ActionPayload {
        try await line.call(.init("POST", "/actions", .change, json: ["link": action, "connection": connection]))
    }

    public func consents(_ connection: String?) async throws -> ConsentsRound {
        try await line.get("/consents" + URLText.query(["connection": connection]))
    }

    public func revokeConsent(_ ref: String) async throws -> ConsentRevokedPayload {
        let path = try line.path("/consents/", ref, else: LookupError(.noConsent, wanted: ref))
        return try await line.call(.init("DELETE", path, .change))
    }

    // MARK: Enrollment

    public func enroll(_ link: String, name: ConnectionName?) throws -> any EnrollmentSteps {
        SocketEnrollment(.init(link: link, name: name?.text, whileConnected: true), line)
    }

    public func reconnect(_ name: String) throws -> any EnrollmentSteps {
        SocketEnrollment(.init(connection: name, whileConnected: true), line)
    }
}

extension PINSource {
    /// Tells the agent where the PIN comes from.
    var header: (String, String) { ("Countersign-PIN-Source", self == .file ? "file" : "person") }
}
