import Basics
package import ApprovalModel

/// Parses the links of sites that speak Tiqr.
package struct TiqrLinks: LinkReader {
    private let families: [TiqrFamily]
    private let oldestVersion: Int

    /// - Parameter oldestVersion: challenges of older versions are refused.
    package init(families: [TiqrFamily] = [.anyone, .eduID], oldestVersion: Int = 1) {
        self.families = families
        self.oldestVersion = oldestVersion
    }

    package func read(_ link: LinkText) throws(LinkError) -> Link? {
        switch try TiqrLink.parse(link, families, oldestVersion: oldestVersion) {
        case nil: return nil
        case .enroll(let enroll):
            return .connect(ConnectLink(wires: [.tiqr], address: enroll.metadata, content: enroll))
        case .challenge(let challenge):
            return .action(
                ActionLink(
                    id: challenge.sessionKey,
                    bank: BankText(TiqrChallenge.readings(challenge.service).sorted().first ?? ""),
                    returnTo: challenge.returnTo, isRequest: true, among: challenge.matches,
                    knowsBank: { !challenge.ofAnyone.matches($0).isEmpty }, content: challenge))
        }
    }
}

extension WireProtocol {
    static let tiqr = WireProtocol(rawValue: "tiqr")
}

extension TiqrChallenge {
    /// The connections that the challenge may be for: those of the service that it names, or, if there is none, those
    /// of the one service whose name differs only in case. If the link names no account, all accounts of that service.
    @Sendable func matches(_ connections: [Connection]) -> [Connection] {
        let users = user.map(Self.readings)
        let accounts = connections.compactMap { connection -> (connection: Connection, service: String)? in
            guard users?.contains(connection.id.text) ?? true else { return nil }
            return connection.tiqr.map { (connection, $0.service) }
        }
        let services = Self.readings(service)
        let exact = accounts.filter { services.contains($0.service) }
        guard exact.isEmpty else { return exact.map(\.connection) }
        let near = accounts.filter { account in
            services.contains { Self.folded($0) == Self.folded(account.service) }
        }
        return Set(near.map(\.service)).count == 1 ? near.map(\.connection) : []
    }

    /// The same without the account that it names.
    fileprivate var ofAnyone: TiqrChallenge {
        var challenge = self
        challenge.user = nil
        return challenge
    }

    /// ASCII letters in lower case.
    private static func folded(_ text: String) -> [UInt8] {
        text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}
