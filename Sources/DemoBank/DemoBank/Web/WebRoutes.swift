import Hummingbird

/// The pages of the bank. Plain forms, no script; every change is a POST with the session's form token and ends with a
/// redirect.
struct WebRoutes: Sendable {
    let services: BankServices
    let sessions: VisitorSessions

    init(services: BankServices) {
        self.services = services
        sessions = VisitorSessions(services: services)
    }

    func add(to group: RouterGroup<BankContext>) {
        addFront(to: group)
        addDashboard(to: group)
        addEnrollment(to: group)
        addLogin(to: group)
        addPayments(to: group)
        addConsents(to: group)
        addActions(to: group)
    }

    /// Serves a page to a signed-in customer, and redirects others to the sign-in page.
    func page(
        _ request: Request, _ context: BankContext, work: @Sendable (Bank, Visitor) async throws -> Response
    ) async throws -> Response {
        let bank = try await services.bank(context)
        guard let visitor = try await sessions.visitor(request, bank: bank) else {
            return Answer.redirect(to: "\(bank.prefix)/signin")
        }
        return try await work(bank, visitor)
    }

    /// Handles a form of a signed-in customer, and refuses one without the session's token.
    func form(
        _ request: Request, _ context: BankContext, work: @Sendable (Bank, Visitor, WebForm) async throws -> Response
    ) async throws -> Response {
        try await page(request, context) { bank, visitor in
            let form = try await WebForm(request)
            guard form["form_token"] == visitor.session.formToken else {
                return Page(
                    bank: bank, visitor: visitor, title: "That form has expired",
                    content: "<p>Please go back, reload the page and try again.</p>"
                ).response(status: .forbidden)
            }
            return try await work(bank, visitor, form)
        }
    }
}
