public import Basics

extension WireProtocol {
    /// Which protocol the document behind a link's `configuration` URL belongs to: told by the path segment that follows
    /// `authenticator` (saltedge-v1 section 2.4).
    public init(configurationAt address: WebAddress) {
        let segments = address.path.split(separator: "/")
        let version = segments.drop { $0 != "authenticator" }.dropFirst().first
        self = version?.filter { $0 != "v" } == "2" ? .saltEdgeV2 : .saltEdgeV1
    }
}
