import Basics

/// A parsed and checked link from a QR code (tiqr section 3).
enum TiqrLink: Sendable {
    case enroll(TiqrEnroll)
    case challenge(TiqrChallenge)
}

/// A link to the metadata of an account to enroll.
struct TiqrEnroll: Sendable {
    /// Can be fetched once.
    var metadata: WebAddress
    /// The https link itself; nil for a link with a scheme of its own.
    var link: WebAddress?
    var family: TiqrFamily
}

/// A link that carries a challenge. It is not signed, so nothing proves its author.
struct TiqrChallenge: Sendable, Equatable {
    /// Still encoded, since there are two readings; nil if the link names no account.
    var user: Substring?
    /// Still encoded.
    var service: Substring
    var sessionKey: BankText
    var question: BankText
    /// The site that the person logs in to, as the link claims.
    var site: BankText?
    /// 1, or 2 for 2 and all newer versions.
    var version: Int
    /// Where a browser may go afterwards: an `http` or `https` address.
    var returnTo: BankText?
}
