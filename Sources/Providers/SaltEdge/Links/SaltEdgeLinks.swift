import Basics
package import ApprovalModel

/// Reads the links of banks that speak the Salt Edge Authenticator API, with any scheme that the settings name.
package struct SaltEdgeLinks: LinkReader {
    private let schemes: Set<String>

    /// `schemes` are compared without regard to case.
    package init(schemes: [String] = ["authenticator"]) {
        self.schemes = Set(schemes.map { $0.lowercased() })
    }

    package func read(_ link: LinkText) throws(LinkError) -> Link? {
        guard schemes.contains(link.scheme) else { return nil }
        switch try SaltEdgeLink.parse(link) {
        case .connect(let connect):
            return .connect(
                ConnectLink(wires: WireProtocol.ofSaltEdge, address: connect.configuration, content: connect))
        case .action(let action): return .action(ActionLink(action))
        }
    }

    package func isRedirect(_ address: String, returnURL: String) -> Bool {
        Redirect.parse(address, returnURL: returnURL) != nil
    }
}

extension ActionLink {
    init(_ action: SaltEdgeAction) {
        self.init(id: action.id, bank: action.bank, returnTo: action.returnTo, isFor: action.isFor, content: action)
    }
}

extension SaltEdgeAction {
    fileprivate var id: BankText {
        switch target {
        case .uuid(let uuid, _): uuid
        case .id(let id, _): id
        }
    }

    fileprivate var bank: BankText {
        switch target {
        case .uuid(_, let bank): BankText(bank.hostForPeople)
        case .id(_, let provider): provider
        }
    }

    /// Whether the action belongs to this connection (saltedge-v1 section 9.4, saltedge-v2 section 8.7).
    @Sendable fileprivate func isFor(_ connection: Connection) -> Bool {
        switch target {
        case .uuid(_, let bank): connection.wireProtocol == .saltEdgeV1 && connection.baseURL.base == bank.base
        case .id(_, let provider):
            connection.wireProtocol == .saltEdgeV2 && connection.saltEdge.bankCode == provider.untrusted
        }
    }
}
