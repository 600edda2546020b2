import Authenticator
import Basics
import Vault

/// What needs the PIN, and what can be seen of the vault without it.
extension DoctorCommand {
    /// Opens the vault with the PIN file, once for all checks, so that a wrong PIN costs one try. Nil without a PIN
    /// file, since doctor asks nothing.
    func opened() async -> Result<any OpenVault, any Error>? {
        guard options.effectivePINFile != nil else { return nil }
        do { return .success(try await context().open()) } catch { return .failure(error) }
    }

    /// Compares the items in the keyring with what was stored there. Nil if that cannot be seen: the check
    /// "secret-service" says why.
    func keyringItems() -> Check? {
        do {
            let database = try context().database
            guard try database.record() != nil else { return nil }
            let check = KeyringCheck(database)
            try check.deviceSecret()
            let findings = try check.otherItems()
            guard findings.isEmpty else {
                throw Failure(
                    .damaged, "in the keyring: " + findings.joined(separator: "; "),
                    hint:
                        "restore the keyring from a backup; or see countersign history --verify for the log, and countersign reconnect NAME - for keys and tokens"
                )
            }
            return Check(
                name: "keyring-items", ok: true, message: "the device secret is what was stored there", hint: nil)
        } catch let error as SecretServiceError where ![.deviceSecretDamaged, .itemMissing].contains(error.code) {
            return nil
        } catch {
            return wrong("keyring-items", error)
        }
    }

    /// Verifies the log: with the opened vault, else by an agent that is open. Nil if neither is there.
    func log(_ vault: (any OpenVault)?) async -> Check? {
        do {
            let context = try context()
            let request = HistoryRequest(connection: nil, since: nil, limit: 1, isVerified: true)
            let history: HistoryPayload
            if let vault {
                history = try await context.withOwnOperations(on: vault) { try await $0.history(request) }
            } else if let agent = context.openAgent() {
                history = try await agent.history(request)
            } else {
                return nil
            }
            guard history.isIntact else { throw Failure.brokenLog(history.log) }
            return Check(
                name: "log", ok: true, message: LogRemark.words(history.log, history.accepted), hint: nil,
                isNote: history.accepted != nil)
        } catch {
            return wrong("log", error)
        }
    }

    /// Checks each connection with one call that needs its token and key; with v2 it also compares the key at the bank.
    func connections(_ vault: any OpenVault) async -> [Check] {
        do {
            return try await context().withOwnOperations(on: vault) { operations in
                var checks: [Check] = []
                let answer = try await operations.connections()
                for failure in answer.failures ?? [] {
                    checks.append(Check(name: "connections", ok: false, message: failure.message, hint: failure.hint))
                }
                for connection in answer.connections {
                    let name = "connection \(connection.name)"
                    do {
                        try await operations.prove(connection.name)
                        checks.append(Check(name: name, ok: true, message: "the bank knows it, and its key", hint: nil))
                    } catch {
                        let failure = Failure(error).naming(connection: connection.name)
                        let isUnasked = failure.kind == .usage
                        checks.append(Check(name: name, ok: isUnasked, message: failure.message, hint: failure.hint))
                    }
                }
                return checks
            }
        } catch {
            return [wrong("connections", error)]
        }
    }
}
