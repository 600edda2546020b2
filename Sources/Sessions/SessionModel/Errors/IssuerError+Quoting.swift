import Basics
import Display

extension IssuerError {
    /// A text from outside, made safe to stand in a reason.
    package static func quoted(_ text: String) -> String { "\"\(DisplayText(BankText(text)).line(within: 200))\"" }

    /// Says that two names of issuers differ, and shows both. `told`: the name that was received; nil if there was
    /// none.
    package static func words(_ subject: String, names told: String?, not wanted: Issuer) -> String {
        words(subject, names: told, not: wanted.text)
    }

    /// As `words(_:names:not:)`, for an address at which an issuer was looked for.
    package static func words(_ subject: String, names told: String?, not wanted: String) -> String {
        "\(subject) names \(told.map { "the issuer \(quoted($0))" } ?? "no issuer") instead of \(quoted(wanted))"
    }
}
