package import Basics
import Keys
import SessionModel

/// The access token that a service rejected (oauth section 7.6).
package struct RejectedToken: Sendable {
    /// Nil if the token was not named.
    private let isSame: (@Sendable (any Secret) -> Bool)?

    /// The kept token for which `isSame` returns true.
    package init(_ isSame: @escaping @Sendable (any Secret) -> Bool) { self.isSame = isSame }

    private init() { isSame = nil }

    /// Whether a text names a token by the first digits of its SHA-256.
    package static func isDigest(_ text: String) -> Bool {
        (16...64).contains(text.utf8.count) && text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }

    /// The token that is handed out now, unless it came within the last minute: then another program already had the rejected one
    /// renewed.
    package static let newest = RejectedToken()

    func applies(to token: AccessToken, at now: Moment) -> Bool {
        applies(to: token.token, since: token.receivedAt, at: now)
    }

    /// `since`: when the token came, if that is known.
    func applies(to token: SecretSlot, since: Moment?, at now: Moment) -> Bool {
        if let isSame { return isSame(token.secret) }
        return since.flatMap { now.secondsInBoot(since: $0) }.map { $0 >= 60 } ?? true
    }
}
