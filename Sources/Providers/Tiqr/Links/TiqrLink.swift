import Basics

/// A link as it stands in a QR code, read and checked (tiqr section 3).
enum TiqrLink: Sendable {
    case enroll(TiqrEnroll)
    case challenge(TiqrChallenge)
}

/// A link that leads to the metadata of an account to enroll.
struct TiqrEnroll: Sendable {
    /// Works once.
    var metadata: WebAddress
    /// The https link itself; nil for one of a scheme of its own.
    var link: WebAddress?
    var family: TiqrFamily
}

/// A link that carries a challenge. It is not signed: nothing in it proves who made it.
struct TiqrChallenge: Sendable, Equatable {
    /// Still encoded, since there are two readings; nil where the link names nobody.
    var user: Substring?
    /// Still encoded.
    var service: Substring
    var sessionKey: BankText
    var question: BankText
    /// What the link says the person logs in to: a claim.
    var site: BankText?
    /// 1, or 2 for all newer ones.
    var version: Int
    /// Where a browser may go afterwards: `http` or `https`.
    var returnTo: BankText?
}
