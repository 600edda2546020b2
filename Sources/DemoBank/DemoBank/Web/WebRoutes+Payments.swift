import GRDB
import Hummingbird

/// The form for a new payment, and the page about one request.
extension WebRoutes {
    func addPayments(to group: RouterGroup<BankContext>) {
        group.get("payments/new") { request, context in
            try await page(request, context) { paymentPage($0, $1) }
        }
        group.post("payments/new") { request, context in
            try await form(request, context) { try await createPayment($0, $1, $2) }
        }
        group.get("requests/:id") { request, context in
            let id = context.parameters.get("id", as: Int64.self)
            return try await page(request, context) { try await requestPage(id, $0, $1) }
        }
    }

    private func paymentPage(_ bank: Bank, _ visitor: Visitor, problem: String? = nil) -> Response {
        Page(
            bank: bank, visitor: visitor, title: "New payment",
            content: """
                \(HTML.problem(problem))
                <form class="card" method="post" action="\(bank.prefix)/payments/new">\(visitor.formToken)
                <label for="payee">To whom</label>
                <input id="payee" name="payee" value="Fern Books" required>
                <label for="account">Account (IBAN)</label>
                <input id="account" name="account" value="AT61 1904 3002 3457 3201" required>
                <label for="amount">Amount</label>
                <input id="amount" name="amount" value="9.90 EUR" required>
                <label for="reference">Reference</label>
                <input id="reference" name="reference" value="Order 5">
                <fieldset><legend>How the authenticator is told</legend>
                <label class="choice"><input type="radio" name="form" value="text" checked><span>as plain text</span></label>
                <label class="choice"><input type="radio" name="form" value="html"><span>as a page of HTML</span></label>
                <label class="choice"><input type="radio" name="form" value="fields">\
                <span>as payment fields (v1: as lines of text)</span></label>
                </fieldset>
                <button>Ask my authenticator</button>
                </form>
                """
        ).response(status: problem == nil ? .ok : .unprocessableContent)
    }

    private func createPayment(_ bank: Bank, _ visitor: Visitor, _ form: WebForm) async throws -> Response {
        let payment = PaymentPage(
            payee: form["payee"], amount: form["amount"], account: form["account"], reference: form["reference"])
        guard !payment.payee.isEmpty, !payment.amount.isEmpty, !payment.account.isEmpty else {
            return paymentPage(bank, visitor, problem: "Payee, account and amount are needed.")
        }
        let description =
            switch form["form"] {
            case "html": DescriptionText.stored(payment.html.source)
            case "fields": payment.fields.text
            default: DescriptionText.stored(payment.text)
            }
        let draft = Authorization.Draft(title: payment.title, description: description)
        let userID = visitor.user.id ?? 0
        let now = services.clock.now
        let items = try await services.store.write { db in
            try Authorization.issue(draft, to: try Connection.active(ofUser: userID, in: db), at: now, in: db)
        }
        guard !items.isEmpty else {
            return paymentPage(bank, visitor, problem: "There is no authenticator to ask. Add one first.")
        }
        return Answer.redirect(to: "\(bank.prefix)/dashboard")
    }

    private func requestPage(_ id: Int64?, _ bank: Bank, _ visitor: Visitor) async throws -> Response {
        let userID = visitor.user.id
        let item = try await services.store.read { db -> Authorization? in
            guard let item = try Authorization.fetchOne(db, key: id),
                try Connection.fetchOne(db, key: item.connectionID)?.userID == userID
            else { return nil }
            return item
        }
        guard let item else { throw HTTPError(.notFound) }
        let facts: [(String, String)] = [
            ("Authenticator", String(item.connectionID)),
            ("Asked", Timestamp.human(item.createdAt)),
            ("Expires", Timestamp.human(item.expiresAt)),
            ("Decided", item.decidedAt.map(Timestamp.human) ?? "not yet"),
            ("Unlocked by", item.authorizationType ?? "not told"),
            ("Position", item.geolocation ?? "not told"),
            ("Program", item.userAgent ?? "not told"),
        ]
        let rows = facts.map { name, value -> HTML in "<tr><th scope=\"row\">\(name)</th><td>\(value)</td></tr>" }
        return Page(
            bank: bank, visitor: visitor, title: item.title,
            content: """
                <p>State: \(Self.mark(item.statusText(at: services.clock.now)))</p>
                \(Self.table(caption: "About this request", columns: ["Fact", "Value"], rows))
                <h2>What the authenticator was told</h2>
                <p class="link told">\(DescriptionText.v1(item.description))</p>
                """
        ).response()
    }
}
