/// Why a pinentry brought no answer. Two errors with the same code are equal.
package struct PinentryError: Error, Sendable, Equatable {
    package enum Code: Sendable {
        /// It could not be started.
        case missing
        /// It ended before it answered.
        case ended
        /// It did not answer in time, and was killed.
        case hung
        /// Its answer is not Assuan, or is too long.
        case malformed
        /// It answered with an error of its own: no display, no terminal, an unknown command.
        case refused
        /// The person dismissed the question.
        case cancelled
        /// The person pressed the third button.
        case declined
        /// The person pressed the button that stands for the third one and for the end of the question, in a window that has only two.
        case undecided
        /// The pinentry gave up waiting for the person.
        case unanswered
    }

    package var code: Code
    /// Our own words, safe to show.
    package var reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}

extension PinentryError {
    static let hung = PinentryError(.hung, "the pinentry did not answer in time")
    static let undecided = PinentryError(.undecided, "not decided at the pinentry")
    static let ended = PinentryError(.ended, "the pinentry ended before it answered")

    static func malformed(_ what: String) -> PinentryError {
        PinentryError(.malformed, "the pinentry does not speak its protocol: \(what)")
    }

    /// From the number of an `ERR` line: the low 16 bits are the cause (gpg-error.h), the high bits its source.
    init(number: UInt32) {
        self =
            switch number & 0xFFFF {
            case 99, 198: PinentryError(.cancelled, "cancelled at the pinentry")
            case 114: PinentryError(.declined, "declined at the pinentry")
            case 62: PinentryError(.unanswered, "nobody answered the pinentry")
            default: PinentryError(.refused, "the pinentry could not ask (its error \(number))")
            }
    }
}
