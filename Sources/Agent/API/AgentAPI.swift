internal import Authenticator
internal import Basics
internal import HTTPTypes
public import Hummingbird
public import LocalSocket
internal import NIOCore

/// The agent's API: HTTP and JSON, as `Share/Schemas/agent-openapi.json` describes it.
///
/// Every answer is JSON in the form of the command line's `--json`; a failure is a `FailurePayload` with a fitting status.
/// Nothing of a request is written to a log.
///
///     LocalServer(on: socket, respond: AgentAPI(agent).respond)
public struct AgentAPI: Sendable {
    static let routes = agentRoutes + connectionRoutes + authorizationRoutes + consentRoutes + enrollmentRoutes

    private let agent: any AgentServing
    private let note: @Sendable (CallerContext) -> Void

    /// - Parameter note: told who asks, before each request.
    public init(_ agent: any AgentServing, note: @escaping @Sendable (CallerContext) -> Void = { _ in }) {
        self.agent = agent
        self.note = note
    }

    /// Answers one request, whatever happens.
    @Sendable public func respond(to request: Request, from caller: Caller) async -> Response {
        do {
            let (route, inquiry) = try await find(request, caller)
            if route.body == .none { try await inquiry.demandNoBody() }
            let reply =
                route.endsWithCaller
                ? try await caller.presence.whilePresent { try await route.act(inquiry) }
                : try await route.act(inquiry)
            switch reply {
            case .json(let value): return try Self.response(.ok, value)
            case .round(let round, let asLines, let demandOpen): return round.response(asLines: asLines, demandOpen)
            case .done: return Response(status: .noContent)
            case .events(let events):
                return EventStream.response(
                    events.map { StreamEvent(name: $0.name.rawValue, data: try Self.text($0)) },
                    to: caller.presence)
            }
        } catch {
            let refusal = Refusal(error)
            let payload = FailurePayload(refusal.failure)
            return (try? Self.response(refusal.status, payload, refusal.headers))
                ?? Response(status: .internalServerError)
        }
    }

    /// Wipes the body even when no route matches: it may hold a PIN.
    private func find(_ request: Request, _ caller: Caller) async throws -> (Route, Inquiry) {
        do {
            // Only browsers send it, for a page that somebody else wrote.
            if request.headers[.origin] != nil { throw Refusal.webPage }
            return try match(request, caller)
        } catch {
            _ = try? await PINBody.read(request)
            throw error
        }
    }

    private func match(_ request: Request, _ caller: Caller) throws -> (Route, Inquiry) {
        let parts = (request.head.path ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts.first ?? ""
        guard path.hasPrefix("/") else { throw Refusal.unknownRoute }
        var allowed: [HTTPRequest.Method] = []
        for route in Self.routes {
            guard let parameters = try route.parameters(in: path) else { continue }
            guard route.method == request.method else {
                allowed.append(route.method)
                continue
            }
            let context = try CallerContext(caller, request.headers)
            note(context)
            let inquiry = Inquiry(
                agent: agent, request: request, caller: context,
                presence: caller.presence, parameters: parameters,
                query: try route.parameters(inQuery: parts.dropFirst().first ?? ""))
            return (route, inquiry)
        }
        throw allowed.isEmpty ? Refusal.unknownRoute : Refusal.unknownMethod(allowed)
    }

    private static func response(
        _ status: HTTPResponse.Status, _ value: any Encodable, _ headers: HTTPFields = [:]
    ) throws -> Response {
        var headers = headers
        headers[.contentType] = "application/json"
        return Response(
            status: status, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONForm.encode(value))))
    }

    private static func text(_ event: Event) throws -> String {
        String(decoding: try JSONForm.encode(event), as: UTF8.self)
    }
}
