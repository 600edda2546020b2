import Basics
import Keys

/// Keeps the sealed values that the disk does not take in the vault's keyring.
struct RescueShelf: SealedShelf {
    let vault: String
    let service: SecretService

    func put(_ sealed: [UInt8], as id: String) throws { try service.store(sealed, as: name(id)) }

    func sealed(_ id: String) throws -> [UInt8]? { try service.loadSealed(name(id)) }

    func remove(_ id: String) throws { try service.delete(name(id)) }

    private func name(_ id: String) -> ItemName { ItemName(vault: vault, kind: .rescue, id: id) }
}
