import FoundationEssentials
import ApprovalModel

/// The facts that this provider keeps with an account.
struct TiqrState: Codable {
    /// `service.identifier` of the metadata; links name the service by it.
    var service: String
    /// The OCRA suite, as received.
    var suite: String
    /// The address that takes the secret; nil once the site has accepted it.
    var enrollment: String?
    /// The session keys of challenges whose response was refused, newest last. They are not answered again.
    var refused: [String] = []
    /// The number of refusals in a row that gave no reason.
    var unexplained = 0
    /// How many more wrong responses the site accepts, if its last answer said so.
    var attemptsLeft: Int?
    /// When the site said so.
    var attemptsLeftAt: Date?
    /// Until when the site accepts no response; nil if it accepts them, or never will.
    var blockedUntil: Date?

    /// The site's newest answer says this of the account.
    mutating func take(attemptsLeft left: Int?, blockedUntil end: Date?, at now: Date) {
        if attemptsLeft != left { attemptsLeftAt = left.map { _ in now } }
        attemptsLeft = left
        blockedUntil = end
    }

    init(service: String, suite: String, enrollment: String?) {
        self.service = service
        self.suite = suite
        self.enrollment = enrollment
    }

    /// Rows of schema 10 and earlier have `refused` and `unexplained` as texts, or not at all.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        service = try members.decode(String.self, forKey: .service)
        suite = try members.decode(String.self, forKey: .suite)
        enrollment = try members.decodeIfPresent(String.self, forKey: .enrollment)
        if let text = try? members.decodeIfPresent(String.self, forKey: .refused) {
            refused = text.split(separator: " ").map(String.init)
        } else {
            refused = try members.decodeIfPresent([String].self, forKey: .refused) ?? []
        }
        if let text = try? members.decodeIfPresent(String.self, forKey: .unexplained) {
            unexplained = Int(text) ?? 0
        } else {
            unexplained = try members.decodeIfPresent(Int.self, forKey: .unexplained) ?? 0
        }
        attemptsLeft = try members.decodeIfPresent(Int.self, forKey: .attemptsLeft)
        attemptsLeftAt = try members.decodeIfPresent(Date.self, forKey: .attemptsLeftAt)
        blockedUntil = try members.decodeIfPresent(Date.self, forKey: .blockedUntil)
    }
}

extension Connection {
    /// Nil for a connection of another provider.
    var tiqr: TiqrState? { wireProtocol == .tiqr ? try? state.read() : nil }
}
