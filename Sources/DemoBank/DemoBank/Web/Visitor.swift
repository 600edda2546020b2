import Crypto
import FoundationEssentials
import GRDB
import Hummingbird

/// A signed-in customer and their session.
struct Visitor: Sendable {
    let user: User
    let session: WebSession

    /// The hidden field that proves that a form came from a page of this session.
    var formToken: HTML { "<input type=\"hidden\" name=\"form_token\" value=\"\(session.formToken)\">" }
}

/// Cookie sessions of the bank's pages.
struct VisitorSessions: Sendable {
    let services: BankServices

    private static let lifetime = 12.0 * 3600

    /// The customer whose session the browser's cookie names, if it is one of this bank.
    func visitor(_ request: Request, bank: Bank) async throws -> Visitor? {
        guard let token = request.cookies[cookieName(bank)]?.value else { return nil }
        let digest = Self.digest(token)
        let now = services.clock.now
        let bankID = bank.id
        return try await services.store.read { db in
            guard let session = try WebSession.fetchOne(db, key: digest), session.expiresAt > now,
                let user = try User.fetchOne(db, key: session.userID), user.bankID == bankID
            else { return nil }
            return Visitor(user: user, session: session)
        }
    }

    /// Begins a session and redirects to the overview.
    func signIn(_ user: User, bank: Bank) async throws -> Response {
        let token = RandomText.token()
        let session = WebSession(
            digest: Self.digest(token), userID: user.id ?? 0, formToken: RandomText.token(),
            expiresAt: services.clock.now + Self.lifetime)
        try await services.store.write { db in try session.insert(db) }
        var response = Answer.redirect(to: "\(bank.prefix)/dashboard")
        response.setCookie(cookie(token, bank: bank))
        return response
    }

    /// Ends the session and redirects to the front page.
    func signOut(_ visitor: Visitor, bank: Bank) async throws -> Response {
        try await services.store.write { db in _ = try visitor.session.delete(db) }
        var response = Answer.redirect(to: "\(bank.prefix)/")
        response.setCookie(cookie("", bank: bank))
        return response
    }

    private func cookieName(_ bank: Bank) -> String { "session_\(bank.code)" }

    private func cookie(_ value: String, bank: Bank) -> Cookie {
        Cookie(
            name: cookieName(bank), value: value, maxAge: value.isEmpty ? 0 : Int(Self.lifetime), path: "/",
            secure: services.address.scheme == "https", httpOnly: true, sameSite: .lax)
    }

    private static func digest(_ token: String) -> String {
        Base64Text.urlSafe(Data(SHA256.hash(data: Data(token.utf8))))
    }
}
