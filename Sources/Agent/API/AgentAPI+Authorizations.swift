internal import Authenticator
internal import Basics
internal import HTTPTypes
internal import SCA

extension AgentAPI {
    private static let decisionQuery: Set = ["fingerprint", "position", "waits", "option", "reason"]

    static let authorizationRoutes = [
        Route(.get, "/authorizations", query: ["connection", "known"]) {
            let connection = $0.query["connection"]
            let isKnown = try $0.flag("known") ?? false
            return .round(
                isKnown ? try await $0.agent.known(connection) : try await $0.operations().pending(connection),
                asLines: $0.request.headers[.accept] == PendingRound.lines, demandOpen: $0.agent.demandOpen)
        },
        Route(.get, "/authorizations/{ref}", query: ["abbreviated", "source"]) {
            let isAbbreviated = try $0.flag("abbreviated") ?? false
            let hasSource = try $0.flag("source") ?? false
            return .json(
                try await $0.operations().card($0["ref"], abbreviated: isAbbreviated, withSource: hasSource))
        },
        Route(.post, "/authorizations/{ref}/approve", query: decisionQuery, body: .pin) { inquiry in
            // Read the PIN first, so that it is wiped whatever else is wrong.
            let pin = try await inquiry.pin()
            let source = try inquiry.pinSource()
            let request = try DecisionRequest(inquiry)
            return .json(
                try await inquiry.decision {
                    try await inquiry.agent.approve(request, pin: pin, from: source, for: inquiry.caller)
                })
        },
        Route(.post, "/authorizations/{ref}/deny", query: decisionQuery, body: .pin) { inquiry in
            let pin = try await inquiry.pin(isNeeded: false)
            let source = try inquiry.pinSource()
            let request = try DecisionRequest(inquiry)
            return .json(
                try await inquiry.decision {
                    try await inquiry.agent.deny(request, pin: pin, from: source, for: inquiry.caller)
                })
        },
        Route(.delete, "/authorizations/{ref}/wait") {
            guard await $0.agent.giveUp($0["ref"]) else {
                throw Failure(.notFound, "no decision on this is under way")
            }
            return .done
        },
        Route(.get, "/history", query: ["connection", "since", "limit", "verify", "source"]) {
            let request = try HistoryRequest($0)
            return .json(try await $0.operations().history(request))
        },
    ]
}

extension Inquiry {
    /// A decision that was begun is finished. When the caller leaves, nobody waits for the bank's final word.
    fileprivate func decision(_ decide: () async throws -> DecisionPayload) async throws -> DecisionPayload {
        let (agent, ref) = (agent, self["ref"])
        let departure = presence.onDeparture { Task { await agent.giveUp(ref) } }
        defer { presence.forget(departure) }
        return try await decide()
    }
}

extension DecisionRequest {
    /// Throws a usage failure unless it names one whole content, by all digits of its fingerprint.
    init(_ inquiry: Inquiry) throws {
        guard let hex = inquiry.query["fingerprint"], let fingerprint = Fingerprint(hex: hex) else {
            throw Failure.usage(
                "a decision names what was shown by all 64 digits of its fingerprint",
                hint: "add ?fingerprint=HEX, as the authorization has it")
        }
        let position = try inquiry.query["position"].map { text in
            guard let position = Geolocation(text) else {
                throw Failure.usage("this is not a position", hint: "decimal degrees, for example: 48.137154,11.576124")
            }
            return position
        }
        let reason = try inquiry.query["reason"].map { word in
            guard let reason = DenialReason(rawValue: word) else {
                throw Failure.usage("this is no reason", hint: "not-me or cancelled")
            }
            return reason
        }
        self.init(
            ref: inquiry["ref"], fingerprint: fingerprint, position: position,
            waits: try inquiry.flag("waits") ?? true, option: inquiry.query["option"], reason: reason)
    }
}

extension HistoryRequest {
    fileprivate init(_ inquiry: Inquiry) throws {
        let since = inquiry.query["since"]
        if let since, Timestamp.parse(since) == nil {
            throw Failure.usage("since is not a time", hint: "ISO 8601, for example: 2030-01-31T12:00:00Z")
        }
        let limit = try inquiry.query["limit"].map { text in
            guard text.utf8.count <= 9, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
                let limit = Int(text)
            else { throw Failure.usage("limit is not a number") }
            return limit
        }
        self.init(
            connection: inquiry.query["connection"], since: since, limit: limit,
            isVerified: try inquiry.flag("verify") ?? false, withSource: try inquiry.flag("source") ?? false)
    }
}
