import GRDB
import Hummingbird

extension V1Routes {
    /// saltedge-v1 section 9.3. The Ruby server has no such route.
    func listConsents(_ caller: Caller) async throws -> Response {
        guard caller.bank.style == .java else { return Self.noRoute }
        let now = services.clock.now
        let connection = caller.connection
        let consents = try await services.store.read { db in
            try Consent.filter(
                Column("connectionID") == connection.id && Column("revokedAt") == nil && Column("expiresAt") > now
            ).order(Column("id")).fetchAll(db)
        }
        let envelopes = V1Envelopes(bank: caller.bank)
        return caller.answer(.array(try consents.map { try envelopes.seal($0, for: connection) }))
    }

    /// An unknown consent is `success:false` with status 200.
    func revokeConsent(_ id: String, _ caller: Caller) async throws -> Response {
        guard caller.bank.style == .java else { return Self.noRoute }
        guard let key = Int64(id) else { throw WireError(status: 400, errorClass: nil, message: "") }
        let now = services.clock.now
        let connectionID = caller.connection.id
        let revoked = try await services.store.write { db in
            guard
                var consent = try Consent.filter(
                    Column("id") == key && Column("connectionID") == connectionID && Column("revokedAt") == nil
                ).fetchOne(db)
            else { return false }
            consent.revokedAt = now
            consent.revokedBy = "authenticator"
            try consent.update(db)
            return true
        }
        return caller.answer(["success": .bool(revoked), "consent_id": .string(id)])
    }

    /// Sinatra's answer to a path that it does not know.
    private static var noRoute: Response {
        Answer.text("<h1>Not Found</h1>", contentType: "text/html;charset=utf-8", status: .notFound)
    }
}
