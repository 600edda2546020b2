import Hummingbird

/// A bank to rehearse with and to test against: an identity service of the Salt Edge Authenticator protocol, the web pages
/// of a bank, and an admin API for tests (`ADMIN.md`).
///
/// It shares no line with the authenticator and uses another crypto library, so that a mistake made alike on both sides
/// cannot pass.
public struct DemoBank: Sendable {
    /// How to start the bank.
    public struct Options: Sendable {
        /// The address to bind.
        public var host = "127.0.0.1"
        /// The port to bind; 0 takes a free one.
        public var port = 8585
        /// The SQLite file; without one the books live in memory.
        public var database: String?
        /// How the world reaches the bank when that is not the bound address, for instance behind a TLS proxy.
        public var publicURL: String?

        /// The defaults: loopback, port 8585, in memory.
        public init() {}
    }

    private let options: Options
    private let office: Office

    /// Opens the books.
    ///
    /// - Throws: an error of SQLite when the file cannot be used.
    public init(options: Options = Options()) throws {
        self.options = options
        let publicURL = options.publicURL.map { url in String(url.reversed().drop { $0 == "/" }.reversed()) }
        office = Office(store: try Store(path: options.database), address: PublicAddress(publicURL ?? ""))
    }

    /// Serves until the task is cancelled or the process is asked to stop (SIGINT, SIGTERM).
    ///
    /// - Parameter onReady: called once with the base URL when the port is bound.
    public func run(onReady: @escaping @Sendable (String) -> Void) async throws {
        let application = BankApplication(office: office, host: options.host, port: options.port).build { bound in
            if options.publicURL == nil { office.address.set(bound) }
            onReady(bound)
        }
        try await application.runService()
    }
}
