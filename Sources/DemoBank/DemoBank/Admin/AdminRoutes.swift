import Hummingbird

/// The JSON API for tests and demonstrations, under `/admin`. `ADMIN.md` is the reference; each handler's comment names
/// its route.
///
/// There is no sign-in. A caller must be on this machine, name a loopback host, and send no `Origin` header. So a web
/// page in a browser cannot use the API, not even by DNS rebinding.
struct AdminRoutes: Sendable {
    let services: BankServices

    typealias Handler = @Sendable (AdminCall) async throws -> JSONValue

    func add(to group: RouterGroup<BankContext>) {
        addPeople(to: group)
        addItems(to: group)
        addControls(to: group)
    }

    func on(
        _ group: RouterGroup<BankContext>, _ method: HTTPRequest.Method, _ path: RouterPath,
        _ handler: @escaping Handler
    ) {
        group.on(path, method: method) { request, context in
            guard context.isFromLoopback, Self.isLoopback(host: request.head.authority ?? ""),
                request.headers[.origin] == nil
            else { return Self.failure(.forbidden, "the admin API is for programs on this machine only") }
            do {
                return Answer.json(try await handler(AdminCall(request, context)))
            } catch let error as AdminError {
                return Self.failure(error.status, error.message)
            } catch let error as HTTPError {
                return Self.failure(error.status, error.body ?? "not found")
            }
        }
    }

    private static func failure(_ status: HTTPResponse.Status, _ message: String) -> Response {
        Answer.json(["error": .string(message)], status: status)
    }

    private static func isLoopback(host: String) -> Bool {
        if host.hasPrefix("[::1]") { return true }
        let name = host.split(separator: ":").first.map(String.init) ?? ""
        let numbers = name.split(separator: ".", omittingEmptySubsequences: false)
        return name.lowercased() == "localhost"
            || (numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil })
    }
}
