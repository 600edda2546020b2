import Crypto
import FoundationEssentials
import GRDB
import Hummingbird

/// A signed-in customer at a browser.
struct Visitor: Sendable {
    let user: User
    let session: WebSession

    /// The hidden field that proves a form came from a page of this session.
    var formToken: HTML { "<input type=\"hidden\" name=\"form_token\" value=\"\(session.formToken)\">" }
}

/// Cookie sessions of the bank's pages.
struct VisitorDesk: Sendable {
    let office: Office

    private static let lifetime = 12.0 * 3600

    /// Who has this browser, if it is signed in to this bank.
    func visitor(_ request: Request, bank: Bank) async throws -> Visitor? {
        guard let token = request.cookies[cookieName(bank)]?.value else { return nil }
        let digest = Self.digest(token)
        let now = office.clock.now
        let bankID = bank.id
        return try await office.store.read { db in
            guard let session = try WebSession.fetchOne(db, key: digest), session.expiresAt > now,
                let user = try User.fetchOne(db, key: session.userID), user.bankID == bankID
            else { return nil }
            return Visitor(user: user, session: session)
        }
    }

    /// Opens a session and goes to the overview.
    func welcome(_ user: User, bank: Bank) async throws -> Response {
        let token = RandomText.token()
        let session = WebSession(
            digest: Self.digest(token), userID: user.id ?? 0, formToken: RandomText.token(),
            expiresAt: office.clock.now + Self.lifetime)
        try await office.store.write { db in try session.insert(db) }
        var response = Answer.redirect(to: "\(bank.prefix)/dashboard")
        response.setCookie(cookie(token, bank: bank))
        return response
    }

    /// Ends the session and goes to the front page.
    func farewell(_ visitor: Visitor, bank: Bank) async throws -> Response {
        try await office.store.write { db in _ = try visitor.session.delete(db) }
        var response = Answer.redirect(to: "\(bank.prefix)/")
        response.setCookie(cookie("", bank: bank))
        return response
    }

    private func cookieName(_ bank: Bank) -> String { "session_\(bank.code)" }

    private func cookie(_ value: String, bank: Bank) -> Cookie {
        Cookie(
            name: cookieName(bank), value: value, maxAge: value.isEmpty ? 0 : Int(Self.lifetime), path: "/",
            secure: office.address.scheme == "https", httpOnly: true, sameSite: .lax)
    }

    private static func digest(_ token: String) -> String {
        Base64Text.urlSafe(Data(SHA256.hash(data: Data(token.utf8))))
    }
}
