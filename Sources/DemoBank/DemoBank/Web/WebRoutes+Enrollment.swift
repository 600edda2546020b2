import GRDB
import Hummingbird

/// Adding an authenticator: a page to choose the kind, then one with the QR code and the link.
extension WebRoutes {
    func addEnrollment(to group: RouterGroup<BankContext>) {
        group.get("enroll") { request, context in
            try await page(request, context) { choicePage($0, $1) }
        }
        group.post("enroll") { request, context in
            try await form(request, context) { bank, visitor, form in
                let kind = form["kind"].split(separator: "-")
                let version = kind.first.flatMap { EnrollmentLink.ProtocolVersion(rawValue: String($0)) } ?? .v1
                let link = try await EnrollmentLinks(services: services).make(
                    bank: bank, userID: visitor.user.id ?? 0, version: version, isInstant: kind.count > 1,
                    instantStyle: kind.last == "redirect" ? .redirect : .token)
                return Answer.redirect(to: "\(bank.prefix)/enroll/\(link.id ?? 0)")
            }
        }
        group.get("enroll/:id") { request, context in
            let id = context.parameters.get("id", as: Int64.self)
            return try await page(request, context) { try await codePage(id, $0, $1) }
        }
        group.get("enroll/:id/code.txt") { request, context in
            let id = context.parameters.get("id", as: Int64.self)
            return try await page(request, context) { bank, visitor in
                let text = EnrollmentLinks(services: services).text(of: try await link(id, visitor), bank: bank)
                guard let code = QRCode(text) else { throw HTTPError(.notFound) }
                return Answer.text(code.text, contentType: "text/plain; charset=utf-8", status: .ok)
            }
        }
    }

    /// A link of this customer.
    private func link(_ id: Int64?, _ visitor: Visitor) async throws -> EnrollmentLink {
        let link = try await services.store.read { db in try EnrollmentLink.fetchOne(db, key: id) }
        guard let link, link.userID == visitor.user.id else { throw HTTPError(.notFound) }
        return link
    }

    private func choicePage(_ bank: Bank, _ visitor: Visitor) -> Response {
        let choices = Self.kinds.enumerated().map { index, kind -> HTML in
            """
            <label class="choice"><input type="radio" name="kind" value="\(kind.value)" \
            \(index == 0 ? "checked" : "")><span>\(kind.text)</span></label>
            """
        }
        return Page(
            bank: bank, visitor: visitor, title: "Add an authenticator",
            content: """
                <form class="card" method="post" action="\(bank.prefix)/enroll">\(visitor.formToken)
                <fieldset><legend>How shall it be paired?</legend>
                \(choices)
                </fieldset>
                <button>Show the code</button>
                </form>
                """
        ).response()
    }

    private static let kinds: [(value: String, text: String)] = [
        ("v1", "Protocol v1: you sign in once more in the browser"),
        ("v1-token", "Protocol v1, instant: the code itself is the proof"),
        ("v1-redirect", "Protocol v1, instant, answered as a redirect"),
        ("v2", "Protocol v2: you sign in once more in the browser"),
        ("v2-instant", "Protocol v2, instant: the code itself is the proof"),
    ]

    private func codePage(_ id: Int64?, _ bank: Bank, _ visitor: Visitor) async throws -> Response {
        let link = try await link(id, visitor)
        let text = EnrollmentLinks(services: services).text(of: link, bank: bank)
        let minutes = Int((max(0, link.expiresAt - services.clock.now) / 60).rounded())
        let note: HTML =
            link.connectQuery == nil
            ? "<p>After scanning, sign in on the page that your authenticator opens.</p>"
            : "<p>This code works once, in the next \(minutes) minutes. Show it to nobody: who has it becomes you.</p>"
        return Page(
            bank: bank, visitor: visitor, title: "Scan or paste",
            content: """
                <p>Scan the code with your authenticator, or paste the link below it.</p>
                \(Self.codeAndLink(text, label: "QR code with the enrollment link"))
                \(note)
                <p><a href="\(bank.prefix)/enroll/\(id ?? 0)/code.txt">The code as text</a>, for a terminal.</p>
                <p><a href="\(bank.prefix)/dashboard">Back to the overview</a>, where the new authenticator will stand.</p>
                """
        ).response()
    }

    /// A QR code with its link below, to follow when this computer has an authenticator, else to copy.
    static func codeAndLink(_ text: String, label: String) -> HTML {
        """
        \(QRCode(text)?.svg(label: label) ?? "")
        <p id="link-label"><strong>The link</strong></p>
        <p class="link"><a href="\(text)" aria-describedby="link-label">\(text)</a></p>
        """
    }
}
