import GRDB
import Hummingbird

/// The form for a new consent, and revoking one at the bank.
extension WebRoutes {
    func addConsents(to group: RouterGroup<BankContext>) {
        group.get("consents/new") { request, context in
            try await page(request, context) { consentPage($0, $1) }
        }
        group.post("consents/new") { request, context in
            try await form(request, context) { try await createConsent($0, $1, $2) }
        }
        group.post("consents/:id/revoke") { request, context in
            let id = context.parameters.get("id", as: Int64.self)
            return try await form(request, context) { bank, visitor, _ in
                let now = services.clock.now
                let userID = visitor.user.id
                try await services.store.write { db in
                    guard var consent = try Consent.fetchOne(db, key: id), consent.revokedAt == nil,
                        try Connection.fetchOne(db, key: consent.connectionID)?.userID == userID
                    else { return }
                    consent.revokedAt = now
                    consent.revokedBy = "bank"
                    try consent.update(db)
                }
                return Answer.redirect(to: "\(bank.prefix)/dashboard")
            }
        }
    }

    private func consentPage(_ bank: Bank, _ visitor: Visitor, problem: String? = nil) -> Response {
        Page(
            bank: bank, visitor: visitor, title: "New consent",
            content: """
                \(HTML.problem(problem))
                <form class="card" method="post" action="\(bank.prefix)/consents/new">\(visitor.formToken)
                <label for="tpp">Who may see your accounts</label>
                <input id="tpp" name="tpp" value="Fern Budget" required>
                <label for="type">Kind</label>
                <select id="type" name="type">
                <option value="aisp">Account information</option>
                <option value="pisp_future">Future payments</option>
                <option value="pisp_recurring">Recurring payments</option>
                </select>
                <button>Grant it</button>
                </form>
                """
        ).response(status: problem == nil ? .ok : .unprocessableContent)
    }

    private func createConsent(_ bank: Bank, _ visitor: Visitor, _ form: WebForm) async throws -> Response {
        var draft = Consent.Draft(tppName: form["tpp"])
        guard !draft.tppName.isEmpty else { return consentPage(bank, visitor, problem: "A name is needed.") }
        if ["pisp_future", "pisp_recurring"].contains(form["type"]) { draft.consentType = form["type"] }
        let ready = draft
        let userID = visitor.user.id ?? 0
        let now = services.clock.now
        let consents = try await services.store.write { db in
            try Consent.issue(ready, to: try Connection.active(ofUser: userID, in: db), at: now, in: db)
        }
        guard !consents.isEmpty else {
            return consentPage(bank, visitor, problem: "There is no authenticator to show it to. Add one first.")
        }
        return Answer.redirect(to: "\(bank.prefix)/dashboard")
    }
}
