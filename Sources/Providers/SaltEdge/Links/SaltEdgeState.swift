import Basics
import ApprovalModel

/// The facts that this provider keeps with a connection.
struct SaltEdgeState: Codable {
    /// Where the bank's configuration was fetched; `reconnect` starts there.
    var configurationURL: String?
    var bankCode: String?
    /// v2: see `BankConfiguration.providerKey`.
    var providerKey: String?
    var supportEmail: BankText?
    /// See `BankConfiguration.geolocationRequired`.
    var geolocationRequired: Bool?
}

extension Connection {
    /// Empty if it cannot be read.
    var saltEdge: SaltEdgeState { (try? state.read()) ?? SaltEdgeState() }
}
