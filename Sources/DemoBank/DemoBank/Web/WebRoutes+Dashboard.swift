import GRDB
import Hummingbird

/// The overview: authenticators, payments and consents, with the forms that change them.
extension WebRoutes {
    func addDashboard(to group: RouterGroup<BankContext>) {
        group.get("dashboard") { request, context in
            try await page(request, context) { try await dashboard($0, $1) }
        }
        group.post("connections/:id/revoke") { request, context in
            let id = context.parameters.get("id", as: Int64.self)
            return try await form(request, context) { bank, visitor, _ in
                let now = services.clock.now
                let userID = visitor.user.id
                try await services.store.write { db in
                    guard var connection = try Connection.fetchOne(db, key: id), connection.userID == userID
                    else { return }
                    try connection.revoke(at: now, in: db)
                }
                return Answer.redirect(to: "\(bank.prefix)/dashboard")
            }
        }
    }

    private struct Overview: Sendable {
        var connections: [Connection]
        var items: [Authorization]
        var consents: [Consent]
    }

    private func dashboard(_ bank: Bank, _ visitor: Visitor) async throws -> Response {
        let userID = visitor.user.id
        let overview = try await services.store.read { db in
            let connections = try Connection.filter(Column("userID") == userID).order(Column("id").desc).fetchAll(db)
            let ids = connections.compactMap(\.id)
            return Overview(
                connections: connections,
                items: try Authorization.filter(ids.contains(Column("connectionID"))).order(Column("id").desc)
                    .limit(200).fetchAll(db),
                consents: try Consent.filter(ids.contains(Column("connectionID"))).order(Column("id").desc)
                    .limit(200).fetchAll(db))
        }
        let content: HTML = """
            <p><a class="button" href="\(bank.prefix)/enroll">Add an authenticator</a>
            <a class="button quiet" href="\(bank.prefix)/payments/new">New payment</a>
            <a class="button quiet" href="\(bank.prefix)/consents/new">New consent</a>
            <a class="button quiet" href="\(bank.prefix)/actions/new">Instant action</a></p>
            <h2>Authenticators</h2>
            \(connectionTable(overview.connections, bank, visitor))
            <h2>Payments and other requests</h2>
            \(itemTable(overview.items, bank))
            <h2>Consents</h2>
            \(consentTable(overview.consents, bank, visitor))
            """
        return Page(bank: bank, visitor: visitor, title: "Your overview", content: content).response()
    }

    private func connectionTable(_ connections: [Connection], _ bank: Bank, _ visitor: Visitor) -> HTML {
        guard !connections.isEmpty else { return "<p>None yet. Add one to be asked before anything happens.</p>" }
        let rows = connections.map { connection -> HTML in
            let button: HTML = """
                <form method="post" action="\(bank.prefix)/connections/\(connection.wireID)/revoke">\(visitor.formToken)\
                <button class="quiet" aria-label="Revoke authenticator \(connection.wireID)">Revoke</button></form>
                """
            return """
                <tr><th scope="row">\(connection.wireID)</th><td>\(connection.protocolVersion.rawValue)</td>\
                <td>\(connection.platform)</td><td>\(Timestamp.human(connection.createdAt))</td>\
                <td>\(Self.mark(connection.status.rawValue))</td>\
                <td>\(connection.status == .active ? button : "")</td></tr>
                """
        }
        return Self.table(
            caption: "Devices paired with your account",
            columns: ["Number", "Protocol", "Platform", "Added", "State", "Change"], rows)
    }

    private func itemTable(_ items: [Authorization], _ bank: Bank) -> HTML {
        guard !items.isEmpty else { return "<p>Nothing was asked yet.</p>" }
        let now = services.clock.now
        let rows = items.map { item -> HTML in
            """
            <tr><th scope="row"><a href="\(bank.prefix)/requests/\(item.wireID)">\(item.title)</a></th>\
            <td>\(item.connectionID)</td><td>\(Timestamp.human(item.createdAt))</td>\
            <td>\(Self.mark(item.statusText(at: now)))</td></tr>
            """
        }
        return Self.table(
            caption: "What your authenticators were asked", columns: ["What", "Authenticator", "When", "State"], rows)
    }

    private func consentTable(_ consents: [Consent], _ bank: Bank, _ visitor: Visitor) -> HTML {
        guard !consents.isEmpty else { return "<p>No third party sees your accounts.</p>" }
        let now = services.clock.now
        let rows = consents.map { consent -> HTML in
            let status = consent.statusText(at: now)
            let button: HTML = """
                <form method="post" action="\(bank.prefix)/consents/\(consent.wireID)/revoke">\(visitor.formToken)\
                <button class="quiet" aria-label="Revoke the consent for \(consent.tppName)">Revoke</button></form>
                """
            return """
                <tr><th scope="row">\(consent.tppName)</th><td>\(consent.consentType)</td>\
                <td>\(consent.connectionID)</td><td>\(Timestamp.human(consent.expiresAt))</td>\
                <td>\(Self.mark(status))</td><td>\(status == "active" ? button : "")</td></tr>
                """
        }
        return Self.table(
            caption: "Third parties and what they may see",
            columns: ["Who", "Kind", "Authenticator", "Until", "State", "Change"], rows)
    }

    static func table(caption: String, columns: [String], _ rows: [HTML]) -> HTML {
        let heads = columns.map { column -> HTML in "<th scope=\"col\">\(column)</th>" }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="\(caption)"><table>
            <caption>\(caption)</caption><thead><tr>\(heads)</tr></thead>
            <tbody>
            \(rows)
            </tbody></table></div>
            """
    }

    /// A state as a word. Its colour repeats the word.
    static func mark(_ status: String) -> HTML {
        switch status {
        case "confirmed", "active": "<span class=\"good\">\(status)</span>"
        case "denied", "revoked", "refused": "<span class=\"bad\">\(status)</span>"
        default: "\(status)"
        }
    }
}
