package import ApprovalModel

/// The start of an enrollment, as a front end requests it.
package enum EnrollmentRequest: Sendable, Equatable {
    /// The link behind a bank's QR code.
    case link(GivenLink, name: ConnectionName?)
    /// The name of a connection to enroll again, with a new link if its bank wants one.
    case again(String, link: GivenLink? = nil)
}

/// An enrollment that was begun.
package struct OpenEnrollment: Codable, Sendable, Equatable {
    /// The id of the enrollment in the agent: random, not guessable.
    package var id: String
    package var offer: EnrollmentOfferPayload

    package init(id: String, offer: EnrollmentOfferPayload) {
        self.id = id
        self.offer = offer
    }
}
