import GRDB
import Hummingbird

/// Instant actions: pages with a code that an authenticator claims (saltedge-v1 section 9.4).
extension WebRoutes {
    func addActions(to group: RouterGroup<BankContext>) {
        group.get("actions/new") { request, context in
            try await page(request, context) { actionChoice($0, $1) }
        }
        group.post("actions/new") { request, context in
            try await form(request, context) { bank, visitor, form in
                let action = try await ActionLinks(services: services).make(
                    bank: bank, userID: visitor.user.id,
                    kind: InstantAction.Kind(rawValue: form["kind"]) ?? .sca,
                    version: EnrollmentLink.ProtocolVersion(rawValue: form["protocol"]) ?? .v1,
                    returnTo: form["return"].isEmpty ? nil : services.baseURL(of: bank) + "/dashboard")
                return Answer.redirect(to: "\(bank.prefix)/actions/\(action.uuid)")
            }
        }
        group.get("actions/:uuid") { request, context in
            let uuid = try context.parameters.require("uuid")
            return try await page(request, context) { try await actionPage(uuid, $0, $1) }
        }
    }

    private func actionChoice(_ bank: Bank, _ visitor: Visitor) -> Response {
        Page(
            bank: bank, visitor: visitor, title: "Instant action",
            content: """
                <form class="card" method="post" action="\(bank.prefix)/actions/new">\(visitor.formToken)
                <fieldset><legend>What shall happen when it is claimed?</legend>
                <label class="choice"><input type="radio" name="kind" value="sca" checked>\
                <span>You are asked to confirm it</span></label>
                <label class="choice"><input type="radio" name="kind" value="plain">\
                <span>It is done at once</span></label>
                <label class="choice"><input type="radio" name="kind" value="refused">\
                <span>The bank refuses it</span></label>
                </fieldset>
                <label for="protocol">Protocol of the authenticator</label>
                <select id="protocol" name="protocol"><option value="v1">v1</option><option value="v2">v2</option></select>
                <label for="return">Afterwards</label>
                <select id="return" name="return">
                <option value="">stay in the authenticator</option>
                <option value="dashboard">come back to the overview</option>
                </select>
                <button>Show the code</button>
                </form>
                """
        ).response()
    }

    private func actionPage(_ uuid: String, _ bank: Bank, _ visitor: Visitor) async throws -> Response {
        let action = try await services.store.read { db in
            try InstantAction.filter(Column("uuid") == uuid).fetchOne(db)
        }
        guard let action, action.userID == visitor.user.id else { throw HTTPError(.notFound) }
        let text = ActionLinks(services: services).text(of: action, bank: bank)
        return Page(
            bank: bank, visitor: visitor, title: action.title,
            content: """
                <p>State: \(Self.mark(action.status.rawValue)). The code works once, until
                \(Timestamp.human(action.expiresAt)).</p>
                \(Self.codeAndLink(text, label: "QR code with the action link"))
                """
        ).response()
    }
}
