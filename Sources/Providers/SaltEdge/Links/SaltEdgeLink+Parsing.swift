import Basics
import ApprovalModel

extension SaltEdgeLink {
    /// Reads a link as it was scanned or pasted (saltedge-v1 section 2, saltedge-v2 section 2). Its host and path are
    /// ignored: only the parameters carry meaning.
    static func parse(_ link: LinkText) throws(LinkError) -> SaltEdgeLink {
        guard let query = link.text.before("#").behind("?") else {
            throw LinkError(.nothingUsable, "the link has no parameters")
        }
        let parameters = QueryParameters(query)
        let action = Result<SaltEdgeAction, LinkError> { () throws(LinkError) in try SaltEdgeAction(parameters) }
        guard parameters.has("configuration") else { return .action(try action.get()) }
        guard case .failure(let error) = action, [.incomplete, .nothingUsable, .unknownVersion].contains(error.kind)
        else {
            throw LinkError(.ambiguous, "the link asks both to connect and to act")
        }
        return .connect(try SaltEdgeConnect(parameters))
    }
}

extension SaltEdgeConnect {
    fileprivate init(_ parameters: QueryParameters) throws(LinkError) {
        self.init(
            configuration: try parameters.address("configuration"),
            connectQuery: try parameters.text("connect_query").map(BankText.init))
    }
}

extension SaltEdgeAction {
    fileprivate init(_ parameters: QueryParameters) throws(LinkError) {
        let target: Target
        switch try parameters.text("api_version") {
        case nil, "1":
            guard parameters["action_uuid"] != nil || parameters["action_id"] != nil else {
                throw LinkError(.nothingUsable, "the link has no parameter that this program knows")
            }
            guard let uuid = try parameters.text("action_uuid"), parameters.has("connect_url") else {
                throw LinkError(.incomplete, "the link does not say which action, or of which bank")
            }
            target = .uuid(BankText(uuid), bank: try parameters.address("connect_url"))
        case "2":
            guard let id = try parameters.text("action_id"), let provider = try parameters.text("provider_id") else {
                throw LinkError(.incomplete, "the link does not say which action, or of which bank")
            }
            target = .id(BankText(id), provider: BankText(provider))
        default:
            throw LinkError(.unknownVersion, "the link is of a protocol version that this program does not speak")
        }
        self.init(target: target, returnTo: try parameters.text("return_to").map(BankText.init))
    }
}

extension QueryParameters {
    /// The value, decoded once, `+` kept; nil when absent or empty.
    fileprivate func text(_ name: String) throws(LinkError) -> String? {
        guard let raw = self[name] else { return nil }
        guard let text = Percent.decode(raw) else {
            throw LinkError(.badEncoding, "the link's \(name) is not encoded properly")
        }
        return text
    }

    fileprivate func address(_ name: String) throws(LinkError) -> WebAddress {
        let text = try text(name) ?? ""
        do {
            return try WebAddress(text)
        } catch {
            throw LinkError(.badAddress(error), "the link's \(name) cannot be used: \(error.reason)")
        }
    }
}
