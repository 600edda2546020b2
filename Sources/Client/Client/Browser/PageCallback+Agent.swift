import Cryptography
import Web

extension PageCallback {
    /// The way back from a bank's page for a front end that knows no provider: a server of this process. Whether a pasted address belongs to
    /// the page is judged by the agent. Throws if there is no randomness or no place to listen at.
    package static func bank(ofAgent shown: any PageShow, minutes: Double) async throws -> PageCallback {
        let secret = try RandomBytes.uuid().filter { $0 != "-" }
        return try await loopback(Party(isRedirect: { _, _ in true }), shown, minutes: minutes) {
            try await LoopbackServer(secret: secret, $0)
        }
    }
}
