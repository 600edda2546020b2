public import Basics
public import FoundationEssentials

/// Why a call to a bank brought no result. Equality is by code alone.
///
/// Branch on `code`: it comes from the bank's `error_class` first, never from the HTTP status alone (saltedge-v1 section
/// 12, saltedge-v2 section 10).
public struct BankError: Error, Sendable, Equatable {
    public enum Code: Sendable {
        /// Nothing was sent: no route, no TLS, name unknown, connect timeout, proxy refused.
        case unreachable
        /// The request (or a part of it) went out and no whole answer came: what it did is not known.
        case noAnswer
        /// The address is not HTTPS and not loopback, or an answer tried to lead there.
        case insecure
        /// The bank answered with an error that has no code of its own; `errorClass` and `bankMessage` say which.
        case refused
        /// `ConnectionNotFound`, `ConnectionRevoked`, `UserNotFound` (v1): the bank no longer knows this connection.
        case connectionGone
        /// `AuthorizationNotFound`: decided elsewhere, cancelled or expired.
        case authorizationGone
        /// The consent is not there (any more).
        case consentGone
        /// The bank answered `success:false`, or that the action is unknown, used up or expired.
        case actionRefused
        /// The bank does not accept what this connection responds: another device may have taken its place.
        case doubtful
        /// The bank takes no response of this connection, for a time or for good.
        case blocked
        /// `SignatureExpired` and its like: the clocks differ; `bankTime` has the bank's.
        case signatureExpired
        /// The bank's clock is so far from ours that nothing is signed for it.
        case clocksDiffer
        /// What was denied here reads confirmed there: the denial may have been used as an approval.
        case denialOverturned
        /// The bank does not accept this connection's questions, without a word that it is gone: it is kept.
        case notAccepted
        /// The answer to the enrollment is not known yet; nothing can be asked before it is.
        case unconfirmed
        /// The answer to the enrollment is lost for good; the connection was erased.
        case enrollmentLost
        /// The answer is not what the protocol says: HTML, an empty body, a missing member.
        case malformedAnswer
        /// The answer is larger than its limit.
        case tooLarge
        /// A local operation with the key failed; nothing was sent.
        case cryptography
    }

    /// See the code of the same name.
    public static let denialOverturned = BankError(
        .denialOverturned, "what was denied here reads confirmed at the bank")

    public var code: Code
    /// Our own words, safe to show: lower case, no full stop, no text of the bank.
    public var reason: String
    /// The bank's `error_class`, as received.
    public var errorClass: BankText?
    /// The bank's `error_message`, as received.
    public var bankMessage: BankText?
    /// HTTP status, when there was an answer.
    public var status: Int?
    /// The bank's clock (`Date` header).
    public var bankTime: Date?
    /// Seconds after which the bank wants to be asked again (`Retry-After`).
    public var retryAfter: Int?
    /// Seconds for which its provider would not ask again by itself; whoever asks for it is answered all the same.
    public var pause: Int?
    /// How the connection stands from now on, where the answer says so.
    public var standing: Standing?
    /// Of a decision that could not be brought: what the person may bring there instead.
    public var answerByHand: DecisionAnswer.Code?
    /// Of `unreachable`: the certificate that was the reason.
    public var certificate: CallError.CertificateFault?

    public init(
        _ code: Code, _ reason: String, errorClass: BankText? = nil, bankMessage: BankText? = nil, status: Int? = nil,
        bankTime: Date? = nil, retryAfter: Int? = nil
    ) {
        self.code = code
        self.reason = reason
        self.errorClass = errorClass
        self.bankMessage = bankMessage
        self.status = status
        self.bankTime = bankTime
        self.retryAfter = retryAfter
    }

    public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}
