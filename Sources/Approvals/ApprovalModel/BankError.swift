package import Basics
package import FoundationEssentials

/// Why a call to a bank failed.
///
/// Branch on `kind`: it comes from the bank's `error_class` first, never from the HTTP status alone (saltedge-v1
/// section 12, saltedge-v2 section 10).
package struct BankError: Error, Sendable {
    package enum Kind: Sendable, Equatable {
        /// Nothing was sent: no route, no TLS, name unknown, connect timeout, proxy refused. The obstacle is given if a
        /// person can do something about it; so is the code, for a decision, that the person can type at the bank instead.
        case unreachable(CallError.Obstacle? = nil, answerByHand: DecisionAnswer.Code? = nil)
        /// The request, or a part of it, was sent but no whole answer came: its effect is not known.
        case noAnswer
        /// The address is neither HTTPS nor loopback, or an answer redirected to an address of that kind.
        case insecure
        /// The bank answered with an error that has no code here; see `errorClass` and `bankMessage`.
        case refused
        /// `ConnectionNotFound`, `ConnectionRevoked`, `UserNotFound` (v1): the bank no longer knows this connection.
        case connectionGone
        /// `AuthorizationNotFound`: decided elsewhere, cancelled or expired.
        case authorizationGone
        /// The consent does not exist, or no longer.
        case consentGone
        /// The bank answered `success:false`, or that the action is unknown, used up or expired.
        case actionRefused
        /// The bank does not accept this connection's responses: another device may have taken its place.
        case doubtful
        /// The bank did not take the option that was chosen.
        case otherOption
        /// The bank accepts no response from this connection, for a time or for good.
        case blocked
        /// `SignatureExpired` or a similar class: the clocks differ; `bankTime` is the bank's.
        case signatureExpired
        /// The bank's clock differs so much from ours that we sign nothing for it.
        case clocksDiffer
        /// The bank shows a denial as confirmed: it may have been used as an approval.
        case denialOverturned
        /// The bank refuses this connection's polls, but does not say that the connection is gone. It is kept.
        case notAccepted
        /// The bank's answer to the enrollment is not known yet, and nothing else can be asked before.
        case unconfirmed
        /// The bank's answer to the enrollment is lost for good; the connection was erased.
        case enrollmentLost
        /// The bank's answer to a reconnect is lost for good; the connection is as it was before.
        case reconnectLost
        /// The answer breaks the protocol: HTML, an empty body, a missing member.
        case malformedAnswer
        /// The answer is larger than its limit.
        case tooLarge
        /// A local operation with the key failed; nothing was sent.
        case cryptography
    }

    /// The error of the kind of the same name.
    package static let denialOverturned = BankError(
        .denialOverturned, "what was denied here reads confirmed at the bank")

    package var kind: Kind
    /// Our own words, safe to show: lower case, no full stop, no text of the bank.
    package var reason: String
    /// The bank's `error_class`, as received.
    package var errorClass: BankText?
    /// The bank's `error_message`, as received.
    package var bankMessage: BankText?
    /// The HTTP status, if there was an answer.
    package var status: Int?
    /// The bank's clock (`Date` header).
    package var bankTime: Date?
    /// Seconds after which the bank wants to be asked again (`Retry-After`).
    package var retryAfter: Int?
    /// Seconds during which the provider does not ask again by itself. An explicit request is still sent.
    package var pause: Int?
    /// The connection's new standing, if the answer changes it.
    package var standing: Standing?

    package init(
        _ kind: Kind, _ reason: String, errorClass: BankText? = nil, bankMessage: BankText? = nil, status: Int? = nil,
        bankTime: Date? = nil, retryAfter: Int? = nil
    ) {
        self.kind = kind
        self.reason = reason
        self.errorClass = errorClass
        self.bankMessage = bankMessage
        self.status = status
        self.bankTime = bankTime
        self.retryAfter = retryAfter
    }
}
