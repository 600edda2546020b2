import Hummingbird

/// A bank to rehearse with and to test against: an identity service of the Salt Edge Authenticator protocol, the web
/// pages of a bank, and an admin API for tests (`ADMIN.md`).
///
/// It shares no code with the authenticator and uses another crypto library, so that a mistake in the authenticator's
/// code cannot hide behind the same mistake here.
package struct DemoBank: Sendable {
    /// How to start the bank.
    package struct Options: Sendable {
        /// The address to bind.
        package var host = "127.0.0.1"
        /// The port to bind; 0 takes a free one.
        package var port = 8585
        /// The SQLite file; nil for a database in memory.
        package var database: String?
        /// The URL under which the bank is reached, when it is not the bound address, for instance behind a TLS proxy.
        package var publicURL: String?

        /// The defaults: loopback, port 8585, in memory.
        package init() {}
    }

    private let options: Options
    private let services: BankServices

    /// Opens the database.
    ///
    /// - Throws: an error of SQLite when the file cannot be used.
    package init(options: Options = Options()) throws {
        self.options = options
        let publicURL = options.publicURL.map { url in String(url.reversed().drop { $0 == "/" }.reversed()) }
        services = BankServices(store: try Store(path: options.database), address: PublicAddress(publicURL ?? ""))
    }

    /// Serves until the task is cancelled or the process is asked to stop (SIGINT, SIGTERM).
    ///
    /// - Parameter onReady: called once with the base URL when the port is bound.
    package func run(onReady: @escaping @Sendable (String) -> Void) async throws {
        let application = BankApplication(services: services, host: options.host, port: options.port).build { bound in
            if options.publicURL == nil { services.address.set(bound) }
            onReady(bound)
        }
        try await application.runService()
    }
}
