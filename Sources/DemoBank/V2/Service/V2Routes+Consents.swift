import GRDB
import Hummingbird

extension V2Routes {
    /// v2 section 9. One known client reads these ids only as text, the other takes both.
    func listConsents(_ caller: Caller) async throws -> JSONValue {
        let connectionID = caller.connection.id
        let now = office.clock.now
        let consents = try await office.store.read { db in
            let open = try Consent.filter(
                Column("connectionID") == connectionID && Column("revokedAt") == nil && Column("expiresAt") > now
            ).fetchAll(db).compactMap(\.id)
            return try SCAConsent.filter(open.contains(Column("consentID"))).order(Column("id")).fetchAll(db)
        }
        return .array(
            consents.map { consent in
                [
                    "id": .string(String(consent.id)), "connection_id": .string(String(consent.connectionID)),
                    "key": .string(consent.key), "iv": .string(consent.iv), "data": .string(consent.data),
                ]
            })
    }

    /// The id is the service's, the answer has `id` and no flag.
    func revokeConsent(_ id: Int64?, _ caller: Caller) async throws -> JSONValue {
        let errors = caller.errors
        let connectionID = caller.connection.id
        let now = office.clock.now
        let outerID = try await office.store.write { db in
            guard let known = try SCAConsent.fetchOne(db, key: id), known.connectionID == connectionID,
                var consent = try Consent.fetchOne(db, key: known.consentID), consent.revokedAt == nil
            else { throw errors.consentNotFound }
            consent.revokedAt = now
            consent.revokedBy = "authenticator"
            try consent.update(db)
            return known.id
        }
        return ["id": .int(Int(outerID))]
    }
}
