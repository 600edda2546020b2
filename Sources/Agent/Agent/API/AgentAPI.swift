internal import Approvals
internal import Basics
internal import HTTPTypes
package import Hummingbird
package import LocalSocket
internal import NIOCore
import Verbs
import AgentWire

/// The agent's API: HTTP and JSON, as `Share/Schemas/agent-openapi.json` describes it.
///
/// Every answer is JSON in the form of the command line's `--json`; a failure is a `FailurePayload` with a fitting status.
/// Nothing of a request is written to a log.
///
///     LocalServer(on: socket, respond: AgentAPI(agent).respond)
package struct AgentAPI: Sendable {
    let routes: [Route]
    private let demandOpen: @Sendable () async throws -> Void
    private let note: @Sendable (CallerContext) -> Void

    /// Serves these routes.
    ///
    /// - Parameters:
    ///   - demandOpen: throws a failure of kind `locked` while content may not be shown.
    ///   - note: called with the caller, before each request.
    init(
        _ routes: [Route], demandOpen: @escaping @Sendable () async throws -> Void,
        note: @escaping @Sendable (CallerContext) -> Void = { _ in }
    ) {
        self.demandOpen = demandOpen
        self.routes = routes
        self.note = note
    }

    /// Answers one request, with a failure if it fails. Nothing in between may store an answer: some hold a token.
    @Sendable package func respond(to request: Request, from caller: Caller) async -> Response {
        var response = await answer(to: request, from: caller)
        response.headers[.cacheControl] = "no-store"
        return response
    }

    private func answer(to request: Request, from caller: Caller) async -> Response {
        do {
            let (route, parsed) = try await find(request, caller)
            let reply =
                route.rules.endsWithCaller
                ? try await caller.presence.whilePresent { try await answer(request, parsed, by: route) }
                : try await answer(request, parsed, by: route)
            return try response(reply, parsed)
        } catch {
            let refusal = Refusal(error)
            let payload = FailurePayload(refusal.failure)
            return (try? Self.response(refusal.status, payload, refusal.headers))
                ?? Response(status: .internalServerError)
        }
    }

    /// The answer on a connection that is one too many (`LocalServer`).
    @Sendable package static func crowded() -> Response {
        let refusal = Refusal.crowded
        return (try? response(refusal.status, FailurePayload(refusal.failure), refusal.headers))
            ?? Response(status: refusal.status)
    }

    /// Reports a fault of the request before the state of the lock.
    private func answer(_ request: Request, _ parsed: APIRequest, by route: Route) async throws -> any Sendable {
        var parsed = parsed
        try await parsed.readBody(of: request, for: route.rules)
        let read = try route.read(parsed)
        if read.input.isForOwnProgram, !parsed.caller.isOwnProgram { throw Refusal.foreignProgram }
        if route.rules.lock == .open { try await demandOpen() }
        do {
            return try await read.act()
        } catch let other as OtherAnswer {
            return other.answer
        }
    }

    /// Wipes the body even when no route matches: it may hold a PIN.
    private func find(_ request: Request, _ caller: Caller) async throws -> (Route, APIRequest) {
        do {
            // Only browsers send it, and the page is somebody else's.
            if request.headers[.origin] != nil { throw Refusal.webPage }
            return try match(request, caller)
        } catch {
            _ = try? await PINBody.read(request)
            throw error
        }
    }

    private func match(_ request: Request, _ caller: Caller) throws -> (Route, APIRequest) {
        let parts = (request.head.path ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts.first ?? ""
        guard path.hasPrefix("/") else { throw Refusal.unknownRoute }
        var allowed: [String] = []
        for route in routes {
            guard let name = try route.rules.path.name(in: path) else { continue }
            guard route.rules.method.rawValue == request.method.rawValue else {
                allowed.append(route.rules.method.rawValue)
                continue
            }
            let context = try CallerContext(caller, request.headers)
            note(context)
            if route.rules.callers == .ownProgram, !context.isOwnProgram { throw Refusal.foreignProgram }
            var arguments = VerbArguments()
            arguments.name = name
            arguments.query = try route.rules.form.parameters(in: parts.dropFirst().first ?? "")
            return (route, APIRequest(request.head, from: context, arguments))
        }
        throw allowed.isEmpty ? Refusal.unknownRoute : Refusal.unknownMethod(allowed)
    }

    private func response(_ answer: any Sendable, _ request: APIRequest) throws -> Response {
        switch answer {
        case is NoOutput: Response(status: .noContent)
        case let round as PendingRound: round.response(asLines: request.acceptsLines, demandOpen)
        case let events as AsyncThrowingStream<AgentEvent, any Error>:
            EventStream.response(
                events.map { StreamEvent(name: $0.name, data: try Self.text($0)) },
                to: request.caller.presence)
        case let value as any Encodable: try Self.response(.ok, value)
        default: throw Failure(.internal, "the answer has no form")
        }
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

    private static func text(_ event: AgentEvent) throws -> String {
        String(decoding: try JSONForm.encode(event), as: UTF8.self)
    }
}
