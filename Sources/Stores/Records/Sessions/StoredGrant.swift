import SessionModel

/// The row of a grant. Earlier builds could suspend a grant and keep it. Such a row counts as no grant, and goes with the
/// next grant that is written: a program must not get tokens again because it was read without its mark.
struct StoredGrant: Codable, Sendable {
    let id: String
    /// Nil if an earlier build suspended it.
    let grant: ProgramGrant?

    private enum CodingKeys: CodingKey {
        case isSuspended
    }

    init(_ grant: ProgramGrant) {
        id = grant.id
        self.grant = grant
    }

    init(from decoder: any Decoder) throws {
        let stored = try ProgramGrant(from: decoder)
        let isSuspended = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(
            Bool.self, forKey: .isSuspended)
        id = stored.id
        grant = isSuspended == true ? nil : stored
    }

    func encode(to encoder: any Encoder) throws { try grant?.encode(to: encoder) }
}
