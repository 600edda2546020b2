import GRDB

/// Makes the links in the bank's QR codes (saltedge-v1 section 2).
struct EnrollmentLinks: Sendable {
    let services: BankServices

    /// How long an instant enrollment waits for its authenticator. The Ruby server gives 60 seconds, too few to copy a
    /// link by hand.
    private static let lifetime = 300.0

    func make(
        bank: Bank, userID: Int64, version: EnrollmentLink.ProtocolVersion, isInstant: Bool,
        instantStyle: EnrollmentLink.InstantStyle = .token, lifetime: Double? = nil
    ) async throws -> EnrollmentLink {
        let link = EnrollmentLink(
            bankID: bank.id ?? 0, userID: userID, protocolVersion: version,
            connectQuery: isInstant ? RandomText.token() : nil, instantStyle: instantStyle,
            expiresAt: services.clock.now + (lifetime ?? Self.lifetime))
        return try await services.store.write { db in
            var link = link
            try link.insert(db)
            return link
        }
    }

    /// The address of the configuration document.
    func configuration(of bank: Bank, _ version: EnrollmentLink.ProtocolVersion) -> String {
        switch version {
        case .v1: "\(services.baseURL(of: bank))/api/authenticator/v1/configuration"
        case .v2: "\(services.address.url)/api/authenticator/v2/configurations/\(bank.id ?? 0)"
        }
    }

    /// The deep link. Like the real servers, v1 puts the configuration's URL in as it is, and v2 percent-encodes it.
    func text(of link: EnrollmentLink, bank: Bank) -> String {
        let configuration = configuration(of: bank, link.protocolVersion)
        let nested = link.protocolVersion == .v1 ? configuration : URLText.percentEncoded(configuration)
        let query = link.connectQuery.map { "&connect_query=" + URLText.percentEncoded($0) } ?? ""
        return "authenticator://saltedge.com/connect?configuration=\(nested)\(query)"
    }
}
