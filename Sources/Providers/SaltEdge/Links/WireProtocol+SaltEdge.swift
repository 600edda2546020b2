import Basics
import ApprovalModel

extension WireProtocol {
    static let saltEdgeV1 = WireProtocol(rawValue: "saltedge-v1")
    static let saltEdgeV2 = WireProtocol(rawValue: "saltedge-v2")
    static let ofSaltEdge: Set<WireProtocol> = [.saltEdgeV1, .saltEdgeV2]

    /// The version of the document behind a link's `configuration` URL: the path segment after `authenticator` says it
    /// (saltedge-v1 section 2.4).
    init(configurationAt address: WebAddress) {
        let segments = address.path.split(separator: "/")
        let version = segments.drop { $0 != "authenticator" }.dropFirst().first
        self = version?.filter { $0 != "v" } == "2" ? .saltEdgeV2 : .saltEdgeV1
    }
}
