import ApprovalModel
import Web

extension Call {
    /// A request that was signed earlier, byte for byte.
    init(_ request: SignedRequest) {
        self.init(request.method, request.address, body: request.body)
        headers += request.headers
    }
}
