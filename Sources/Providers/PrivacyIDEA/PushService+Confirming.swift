import Basics
import FoundationEssentials
import ApprovalModel
import Web

extension PushService {
    var isConfirmed: Bool { connection.push.credential == nil }

    /// Sends the public key (privacyidea-push section 5). The server accepts the credential only once. If it no longer
    /// knows the credential, the answer to an earlier attempt was lost, and with it the server's key.
    func confirm() async throws -> ProviderState {
        var state = try connection.state.read(as: PushState.self)
        guard let credential = state.credential else { return connection.state }
        guard let end = state.credentialEnd?.date, now() < end else {
            throw BankError(.refused, "the link's time is over")
        }
        state.serverKey = try serverKey(in: try await transport.asking(enrolling(credential)))
        (state.credential, state.credentialEnd) = (nil, nil)
        return try ProviderState(state)
    }

    /// The call that hands the public key in.
    func enrolling(_ credential: String) -> Call {
        var call = Call.posted(
            connection.baseURL,
            [
                "enrollment_credential": credential, "serial": serial, "fbtoken": "no_firebase_token",
                "pubkey": Self.oneLine(key.publicKeyPEM), "capabilities": Self.capabilities,
            ])
        // The server generates a key during this call.
        call.pace = .slow
        return call
    }

    /// The server's key for this token, from its answer to ours; in PEM.
    func serverKey(in answer: PushAnswer) throws(BankError) -> String {
        guard answer.value?.isTrue == true else {
            guard answer.answer.status != 404 else {
                throw answer.error(
                    .refused, "the server knows no such enrollment: the link was used before, or is void")
            }
            throw answer.refusal("the server refused the enrollment (HTTP \(answer.answer.status))")
        }
        guard answer.detail?["rollout_state"]?.text == "enrolled", answer.detail?["serial"]?.text == serial,
            let text = answer.detail?["public_key"]?.text
        else { throw answer.malformed }
        do {
            return try ServerKey.read(text, own: key.publicKeyPEM)
        } catch {
            throw answer.error(.refused, error.reason)
        }
    }

    /// The Base64 of a PEM text, without its line breaks.
    private static func oneLine(_ pem: String) -> String {
        pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
    }
}
