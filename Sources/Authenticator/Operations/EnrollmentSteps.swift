public import Basics
public import Display
import SCA

/// The steps of one enrollment, wherever they run. Each may be taken once, in this order; `take` as often as needed.
public protocol EnrollmentSteps: Sendable {
    /// Learns whom the person is asked about. Nothing is made.
    func begin() async throws -> EnrollmentOfferPayload
    /// The person said yes: makes the key and hands it to the bank.
    func accept(returnURL: String) async throws -> EnrollmentNext
    /// Judges one redirected address, good or forged. Throws only what ends the enrollment.
    func take(_ address: String) async throws -> RedirectVerdict
    /// Ends an enrollment that will not be driven on.
    func abandon() async
}

/// The bank that wants to connect this computer: what the person sees before a key is made.
public struct EnrollmentOfferPayload: Codable, Sendable, Equatable {
    /// What it calls itself.
    public var bank: DisplayText
    /// Where the link leads.
    public var source: DisplayText
    /// Where everything later goes.
    public var host: DisplayText
    /// Whose account it is, in the bank's words; null where it does not say.
    @OrNull public var account: DisplayText?
    /// What the person should know before the yes.
    public var notes: [DisplayText]
    /// All other hosts that are called, or that led here.
    public var others: [DisplayText]

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

/// What follows a yes: the page on which the person signs in, or the connection at once.
public struct EnrollmentNext: Codable, Sendable, Equatable {
    @OrNull public var page: WebAddress?
    @OrNull public var connection: ConnectionPayload?

    init(page: WebAddress? = nil, connection: ConnectionPayload? = nil) {
        self.page = page
        self.connection = connection
    }
}

/// What a redirected address proved to be: a connection, or why not, and the wait goes on. Neither: not a redirect for this
/// enrollment at all.
public struct RedirectVerdict: Codable, Sendable, Equatable {
    @OrNull public var connection: ConnectionPayload?
    @OrNull public var error: FailurePayload.Content?

    package init(connection: ConnectionPayload? = nil, error: Failure? = nil) {
        self.connection = connection
        self.error = error.map { FailurePayload($0).error }
    }
}
