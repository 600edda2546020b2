import Basics
import Keys
import Ledger
package import SessionModel

/// Rescued tokens are kept on the sealer's shelf, such as the keyring.
extension SealedSessions: RescueStore {
    package func rescue(_ tokens: TokenSet, of session: SessionID) throws {
        guard let shelf = sealer.shelf else { throw StoreError.unusable("there is no place beside the disk") }
        try sealer.demandCurrent()
        let (id, content) = try rescueTable.sealed(tokens, as: session.text)
        try shelf.put(content, as: id)
    }

    package func rescued(_ session: SessionID) throws -> TokenSet? {
        guard let content = try sealer.shelf?.sealed(try rescueTable.sealedID(session.text)) else { return nil }
        return try rescueTable.opened(content, as: session.text)
    }

    package func forgetRescued(_ session: SessionID) throws {
        try sealer.shelf?.remove(try rescueTable.sealedID(session.text))
    }
}
