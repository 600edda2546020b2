import Basics
import ApprovalModel

/// The facts that Fern keeps with a connection.
struct FernState: Codable, Equatable {
    var user: String
    /// Whether the keys are still to be sent, in a call whose answer can be lost.
    var isOnce = false
    /// How many answers Fern refused.
    var refused = 0
    var motto = "green"
}

extension Connection {
    /// Nil for a connection of another provider.
    var fern: FernState? { wireProtocol == FernProvider.wire ? try? state.read() : nil }
}
