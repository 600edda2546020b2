public import Authenticator
public import Basics
internal import LocalSocket

extension SocketOperations {
    public func approve(
        _ request: DecisionRequest, pin: any Secret, from source: PINSource, isGivenUp: @escaping @Sendable () -> Bool
    ) async throws -> DecisionPayload {
        try await decide("approve", request, .secret(pin), [source.header], isGivenUp)
    }

    public func deny(
        _ request: DecisionRequest, pin: (any Secret)?, from source: PINSource,
        isGivenUp: @escaping @Sendable () -> Bool
    ) async throws -> DecisionPayload {
        try await decide(
            "deny", request, pin.map { .secret($0) } ?? .none, pin == nil ? [] : [source.header], isGivenUp)
    }

    private func decide(
        _ verb: String, _ request: DecisionRequest, _ body: LocalClient.Body, _ headers: [(String, String)],
        _ isGivenUp: @escaping @Sendable () -> Bool
    ) async throws -> DecisionPayload {
        let path = try line.path(
            "/authorizations/", request.ref, else: LookupError(.needsWholeReference, wanted: request.ref))
        let query = URLText.query([
            "fingerprint": request.fingerprint.hex,
            "position": request.position.map { "\($0.latitude),\($0.longitude)" },
            "waits": request.waits ? nil : "false", "option": request.option, "reason": request.reason?.rawValue,
        ])
        // It takes a connection of its own, since the other one is busy until the agent has answered. Told too early, the agent
        // knows of no decision yet; then it is told again.
        let line = line
        let watch = Task {
            while true {
                try await Task.sleep(for: .milliseconds(200))
                if isGivenUp(), (try? await line.tell(.init("DELETE", path + "/wait", .change))) != nil { return }
            }
        }
        defer { watch.cancel() }
        return try await line.call(
            .init("POST", "\(path)/\(verb)\(query)", .decision, body: body, headers: headers))
    }
}
