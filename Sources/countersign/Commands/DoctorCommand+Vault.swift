import Client
import Approvals
import Basics
import Keys
import Vault

/// The checks that need the PIN, and the checks of the vault without it.
extension DoctorCommand {
    /// Opens the vault with the PIN file, once for all checks, so that a wrong PIN costs one try. Nil without a PIN
    /// file, since doctor asks nothing.
    func opened() async -> Result<any OpenVault, any Error>? {
        guard options.effectivePINFile != nil else { return nil }
        do { return .success(try await context().open().vault) } catch { return .failure(error) }
    }

    /// Compares the items in the keyring with the items that were stored. Nil if the keyring cannot be read: the check
    /// "secret-service" says why.
    func keyringItems(_ vault: (any OpenVault)?) -> Check? {
        do {
            let database = try context().database
            guard try database.record() != nil else { return nil }
            let check = KeyringCheck(database, secrets: Settings.secretNames)
            try check.deviceSecret()
            let findings = try check.otherItems(vault)
            guard findings.isEmpty else {
                var remedies: [String] = []
                for finding in findings where !remedies.contains(finding.remedy) { remedies.append(finding.remedy) }
                throw Failure(
                    .damaged, findings.words,
                    hint: (["restore the keyring from a backup"] + remedies).joined(separator: "; or "))
            }
            let what = vault == nil ? "the device secret is" : "the device secret and each key and token are"
            return Check(name: "keyring-items", ok: true, message: "\(what) what was stored there", hint: nil)
        } catch let error as SecretServiceError where error.kind == .deviceSecretMissing {
            // The bus starts another keyring where the one with the keys was ended.
            let answering = try? SecretService(allowsPrompt: false).check()
            return Check(
                name: "keyring-items", ok: false, message: Failure(error).message,
                hint: answering.flatMap { InstalledKeyrings(Environment.all).hint(insteadOf: $0) }
                    ?? "restore the keyring from a backup; or start anew, and enroll your banks again: countersign pin reset"
            )
        } catch let error as SecretServiceError where error.kind != .deviceSecretDamaged {
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
                history = try await ApprovalJob.with(vault, openedBy: nil, context) {
                    try await $0.perform(ApprovalVerbs.history, request)
                }
            } else if let agent = context.agentPlace.openAgent() {
                history = try await agent.approvals.perform(ApprovalVerbs.history, request)
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

    /// Names connections whose rows cannot be read, as an open agent sees them.
    func damagedConnections() async -> [Check] {
        guard let agent = try? context().agentPlace.openAgent(),
            let answer = try? await agent.approvals.perform(ApprovalVerbs.connections)
        else { return [] }
        return Self.damaged(answer)
    }

    private static func damaged(_ answer: ConnectionsPayload) -> [Check] {
        (answer.failures ?? []).map { Check(name: "connections", ok: false, message: $0.message, hint: $0.hint) }
    }

    /// Checks each connection with one call that needs its token and key; with v2 it also compares the key at the bank.
    func connections(_ vault: any OpenVault) async -> [Check] {
        do {
            return try await ApprovalJob.with(vault, openedBy: nil, try context()) { operations in
                let answer = try await operations.perform(ApprovalVerbs.connections)
                var checks = Self.damaged(answer)
                for connection in answer.connections {
                    let name = "connection \(connection.name)"
                    do {
                        try await operations.perform(ApprovalVerbs.prove, on: connection.name)
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
