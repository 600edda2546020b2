import Hummingbird
import HummingbirdCore

/// Builds the server: all routes, an answer for each kind of failure, and the bank's own clock in the `Date` header.
struct BankApplication: Sendable {
    let services: BankServices
    let host: String
    let port: Int

    func build(onReady: @escaping @Sendable (String) -> Void) -> some ApplicationProtocol {
        let responder = router().buildResponder()
        let configuration = ApplicationConfiguration(address: .hostname(host, port: port), serverName: "demo-bank")
        var silent = Application(responder: responder, configuration: configuration)
        // The log would go to standard output, where tests wait for the line that says that the bank is ready.
        silent.logger.logLevel = .critical
        let logger = silent.logger

        // Hummingbird would set the `Date` header to the machine's time after the responder has run. This bank's clock
        // can be shifted, so the channel calls the responder itself, without that step.
        let server = HTTPServerBuilder { _ in
            HTTP1Channel { request, writer, channel in
                let context = BankContext(source: .init(channel: channel, logger: logger))
                var response: Response
                do {
                    response = try await responder.respond(to: request, context: context)
                } catch let drop as ConnectionDropped {
                    throw drop
                } catch {
                    response = Answer.text(
                        "The bank has failed: \(error)\n", contentType: "text/plain", status: .internalServerError)
                }
                // A test may have asked for another one.
                if response.headers[.date] == nil { response.headers[.date] = Timestamp.httpDate(services.clock.now) }
                response.headers[.server] = "demo-bank"
                try await writer.write(response: response.head, body: response.body)
            }
        }
        return Application(
            responder: responder, server: server, configuration: configuration,
            onServerRunning: { channel in
                let bound = channel.localAddress?.port ?? port
                onReady(Self.url(host: host, port: bound))
            },
            logger: logger)
    }

    private func router() -> Router<BankContext> {
        let router = Router(context: BankContext.self)
        for path in ["", "banks/:bank"] as [RouterPath] {
            let group = router.group(path)
            V1Routes(services: services).add(to: group)
            WebRoutes(services: services).add(to: group)
        }
        V2Routes(services: services).add(to: router.group(""))
        AdminRoutes(services: services).add(to: router.group("admin"))
        return router
    }

    /// The URL by which a person on this machine reaches the server.
    private static func url(host: String, port: Int) -> String {
        switch host {
        case "0.0.0.0", "::": "http://127.0.0.1:\(port)"
        case let host where host.contains(":"): "http://[\(host)]:\(port)"
        default: "http://\(host):\(port)"
        }
    }
}
