import GRDB
import Hummingbird

extension V1Routes {
    /// saltedge-v1 section 9.4.
    func claimAction(_ uuid: String, _ caller: Caller) async throws -> Response {
        let now = services.clock.now
        let connection = caller.connection
        let bank = caller.bank
        let errors = caller.errors
        let data: JSONValue = try await services.store.write { db in
            guard
                var action = try InstantAction.filter(
                    Column("uuid") == uuid && Column("bankID") == bank.id
                        && Column("protocolVersion") == EnrollmentLink.ProtocolVersion.v1.rawValue
                ).fetchOne(db), action.userID == nil || action.userID == connection.userID
            else { throw errors.actionNotFound }
            // The Ruby server looks at the status only, never at the clock.
            guard action.status == .pending, bank.style == .ruby || action.expiresAt > now else {
                throw errors.actionExpired
            }
            action.status = action.kind == .refused ? .refused : .claimed
            try action.update(db)
            switch action.kind {
            case .plain: return ["success": true]
            case .refused: return ["success": false, "connection_id": nil, "authorization_id": nil]
            case .sca:
                let draft = Authorization.Draft(
                    title: action.title,
                    description: DescriptionText.stored("You started this on the web page of \(bank.name)."))
                let items = try Authorization.issue(draft, to: [connection], at: now, in: db)
                return [
                    "success": true, "connection_id": .string(connection.wireID),
                    "authorization_id": .optional(items.first?.wireID),
                ]
            }
        }
        return caller.answer(data)
    }
}
