public import SCA

/// The bank to connect.
public enum EnrollmentRequest: Sendable, Equatable {
    /// The link behind a bank's QR code.
    case link(String, name: ConnectionName?)
    /// A connection to enroll again; by a new link, where its bank wants one.
    case again(String, link: String? = nil)
}

/// An enrollment that was begun.
public struct OpenEnrollment: Codable, Sendable, Equatable {
    /// Names it to the agent: random, not guessable.
    public var id: String
    public var offer: EnrollmentOfferPayload

    public init(id: String, offer: EnrollmentOfferPayload) {
        self.id = id
        self.offer = offer
    }
}
