import GRDB
import Hummingbird

extension V2Routes {
    /// saltedge-v2 section 9. Ids are sent as text: of the two known clients, one reads only text and the other also numbers.
    func listConsents(_ caller: Caller) async throws -> JSONValue {
        let connectionID = caller.connection.id
        let now = services.clock.now
        let consents = try await services.store.read { db in
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

    /// The id is the service's own. The answer has `id` and no flag.
    func revokeConsent(_ id: Int64?, _ caller: Caller) async throws -> JSONValue {
        let errors = caller.errors
        let connectionID = caller.connection.id
        let now = services.clock.now
        let outerID = try await services.store.write { db in
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
