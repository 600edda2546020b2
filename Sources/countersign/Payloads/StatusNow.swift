import Approvals
import Display
import ApprovalModel

/// The answer of `status`. Its text also says that a shut agent misses requests.
struct StatusNow: Payload {
    private let status: StatusPayload
    private let missesRequests: Bool

    /// `connections`: those of the home.
    init(_ status: StatusPayload, _ connections: ConnectionCounts) {
        self.status = status
        missesRequests = status.agent.running && !status.keysInMemory && connections.living > 0
    }

    var ids: [String] { status.ids }

    func encode(to encoder: any Encoder) throws { try status.encode(to: encoder) }

    func text(_ style: Style) -> String { status.words(missesRequests: missesRequests) }
}
