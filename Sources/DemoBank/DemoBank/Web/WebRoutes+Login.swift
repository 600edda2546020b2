import GRDB
import Hummingbird

/// The sign-in page that an authenticator opens during an enrollment (saltedge-v1 section 4.3). It ends with a redirect to the
/// authenticator's return URL. Its secret path proves that a form belongs to this enrollment.
extension WebRoutes {
    func addLogin(to group: RouterGroup<BankContext>) {
        group.get("connect/:secret") { request, context in
            try await login(context) { bank, connection in
                // An instant enrollment of v2: the customer is known, so the page redirects at once.
                if let userID = connection.userID { return try await pair(connection, bank, user: userID) }
                return loginPage(bank, connection)
            }
        }
        group.post("connect/:secret") { request, context in
            try await login(context) { bank, connection in
                try await finishLogin(try await WebForm(request), bank, connection)
            }
        }
    }

    /// Finds the enrollment. For an enrollment that is unknown or too old this redirects to the return URL, like the
    /// Java server.
    private func login(
        _ context: BankContext, work: @Sendable (Bank, Connection) async throws -> Response
    ) async throws -> Response {
        let bank = try await services.bank(context)
        let secret = try context.parameters.require("secret")
        let connection = try await services.store.read { db in
            try Connection.filter(Column("loginSecret") == secret && Column("bankID") == bank.id).fetchOne(db)
        }
        let redirect = V1Redirect(style: bank.style)
        guard let connection else {
            return Answer.redirect(
                to: redirect.failure(
                    returnURL: "authenticator://oauth/redirect", errorClass: "AUTH_SESSION_MISSING",
                    message: "There is no such sign-in"))
        }
        guard connection.status == .pending, connection.loginExpiresAt > services.clock.now else {
            return Answer.redirect(
                to: redirect.failure(
                    returnURL: connection.returnURL, errorClass: "AUTH_SESSION_EXPIRED",
                    message: "This sign-in is over"))
        }
        return try await work(bank, connection)
    }

    private func loginPage(_ bank: Bank, _ connection: Connection, name: String = "", problem: String? = nil)
        -> Response
    {
        Page(
            bank: bank, visitor: nil, title: "Pair your authenticator",
            content: """
                <p>An authenticator (\(connection.platform)) wants to be paired with your account at \(bank.name). From then
                on it is asked before a payment is made. Sign in to agree.</p>
                \(HTML.problem(problem))
                <form class="card" method="post" action="\(bank.prefix)/connect/\(connection.loginSecret)">
                \(Self.credentialFields(name: name))
                <button name="decision" value="pair">Sign in and pair</button>
                <button class="quiet" name="decision" value="cancel" formnovalidate>Cancel</button>
                </form>
                """
        ).response(status: problem == nil ? .ok : .unprocessableContent)
    }

    private func finishLogin(_ form: WebForm, _ bank: Bank, _ connection: Connection) async throws -> Response {
        guard form["decision"] != "cancel" else { return try await cancel(connection, bank) }
        let user = try await Customers(services: services).signIn(
            name: form["name"], password: form.verbatim("password"), bank: bank)
        guard let userID = user?.id else {
            return loginPage(
                bank, connection, name: form["name"], problem: "Name or password is not right. Please try again.")
        }
        return try await pair(connection, bank, user: userID)
    }

    private func pair(_ connection: Connection, _ bank: Bank, user: Int64) async throws -> Response {
        let location = try await services.store.write { db in
            switch connection.protocolVersion {
            case .v1:
                var connection = connection
                let token = try connection.activate(user: user, in: db)
                return V1Redirect(style: bank.style).success(connection, token: token)
            case .v2:
                return try Provider(bank: bank).succeed(connection, user: user, in: db)
            }
        }
        return Answer.redirect(to: location)
    }

    private func cancel(_ connection: Connection, _ bank: Bank) async throws -> Response {
        let message = "You cancelled the sign-in"
        let location = try await services.store.write { db in
            var connection = connection
            connection.loginExpiresAt = 0
            try connection.update(db)
            switch connection.protocolVersion {
            case .v1:
                return V1Redirect(style: bank.style).failure(
                    returnURL: connection.returnURL, errorClass: "AUTHENTICATION_FAILED", message: message)
            case .v2:
                return try Provider(bank: bank).fail(connection, message: message, in: db)
            }
        }
        return Answer.redirect(to: location)
    }
}
