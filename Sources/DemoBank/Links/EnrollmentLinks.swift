import GRDB

/// Makes the links that stand in the bank's QR codes (v1 section 2).
struct EnrollmentLinks: Sendable {
    let office: Office

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
            expiresAt: office.clock.now + (lifetime ?? Self.lifetime))
        return try await office.store.write { db in
            var link = link
            try link.insert(db)
            return link
        }
    }

    /// Where the configuration document stands.
    func configuration(of bank: Bank, _ version: EnrollmentLink.ProtocolVersion) -> String {
        switch version {
        case .v1: "\(office.baseURL(of: bank))/api/authenticator/v1/configuration"
        case .v2: "\(office.address.url)/api/authenticator/v2/configurations/\(bank.id ?? 0)"
        }
    }

    /// The deep link. v1 servers nest the URL as it is, the Java demo of v2 encodes it: so does this bank.
    func text(of link: EnrollmentLink, bank: Bank) -> String {
        let configuration = configuration(of: bank, link.protocolVersion)
        let nested = link.protocolVersion == .v1 ? configuration : URLText.percentEncoded(configuration)
        let query = link.connectQuery.map { "&connect_query=" + URLText.percentEncoded($0) } ?? ""
        return "authenticator://saltedge.com/connect?configuration=\(nested)\(query)"
    }
}
