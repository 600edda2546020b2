import Client
import Records
import Approvals
import Basics
import ApprovalModel
import Cryptography
import Keys

extension ApprovalJob: VaultJob {
    static func with<R>(
        _ vault: any OpenVault, openedBy proof: ProvedPIN?, _ context: Context,
        _ body: (Carrier<any ApprovalHost>) async throws -> R
    ) async throws -> R {
        let transport = try context.makeTransport()
        // A PIN that a person typed opened the vault, and approves nothing.
        let openedBy = context.options.effectivePINFile == nil ? nil : proof
        let operations = LocalOperations(
            context.workspace(on: vault, context.providers(transport)), context.operationsSetup, for: .current(),
            openedBy: openedBy)
        do {
            let result = try await body(Carrier(vault: operations))
            await transport.shutdown()
            return result
        } catch {
            await transport.shutdown()
            throw error
        }
    }
}

extension Context {
    /// A workspace on an open vault.
    func workspace(on vault: any OpenVault, _ providers: Providers) -> Workspace {
        Workspace(
            vault: vault, connections: SealedConnections(database, sealer: vault),
            log: SealedLog(database, sealer: vault), providers: providers, clock: clock)
    }

    var operationsSetup: LocalOperations.Setup {
        .init(
            gate: gate, positions: settings.geolocation, links: links,
            makeID: { try RandomBytes.uuid() })
    }
}
