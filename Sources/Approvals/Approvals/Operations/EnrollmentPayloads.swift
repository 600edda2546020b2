package import Basics
package import Display
import ApprovalModel

/// The bank that wants to connect this computer, as the person sees it before a key is made.
package struct EnrollmentOfferPayload: Codable, Sendable, Equatable {
    /// The name that the bank claims.
    package var bank: DisplayText
    /// The host in the link.
    package var source: DisplayText
    /// The host of all later calls.
    package var host: DisplayText
    /// Whose account it is, in the bank's words; null if it does not say.
    @OrNull package var account: DisplayText?
    /// Notes for the person to read before a yes.
    package var notes: [DisplayText]
    /// All other hosts that are called, or that redirected here.
    package var others: [DisplayText]

    init(_ offer: EnrollmentOffer) {
        bank = DisplayText(offer.bankName)
        source = DisplayText(offer.source.hostForPeople)
        host = DisplayText(offer.baseURL.hostForPeople)
        account = offer.account.flatMap { $0.untrusted.isEmpty ? nil : DisplayText($0) }
        notes = offer.notes.map { DisplayText($0) }
        let told = [offer.source.hostForPeople, offer.baseURL.hostForPeople]
        others = Set(offer.others.map(\.hostForPeople)).subtracting(told).sorted().map { DisplayText($0) }
    }
}

/// The next step after a yes: the page on which the person signs in, or the connection at once.
package struct EnrollmentNext: Codable, Sendable, Equatable {
    @OrNull package var page: WebAddress?
    @OrNull package var connection: ConnectionPayload?

    init(page: WebAddress? = nil, connection: ConnectionPayload? = nil) {
        self.page = page
        self.connection = connection
    }
}

/// The result for a redirected address: the connection, or the error, after which the wait goes on. Both null: not a
/// redirect for this enrollment.
package struct RedirectVerdict: Codable, Sendable, Equatable {
    @OrNull package var connection: ConnectionPayload?
    @OrNull package var error: FailurePayload.Content?

    package init(connection: ConnectionPayload? = nil, error: Failure? = nil) {
        self.connection = connection
        self.error = error.map { FailurePayload($0).error }
    }
}
