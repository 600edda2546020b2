/// Why a pinentry brought no answer.
package enum PinentryError: Error, Sendable, Equatable {
    /// It could not be started; the text says why.
    case missing(String)
    /// It ended before it answered.
    case ended
    /// It did not answer in time, and was killed.
    case hung
    /// Its answer is not Assuan, or is too long; the text says how.
    case malformed(String)
    /// It answered with an error of its own, by this number: no display, no terminal, an unknown command.
    case refused(UInt32)
    /// The person dismissed the question, or it was taken back.
    case cancelled
    /// The person pressed the third button.
    case declined
    /// The person pressed the button that stands for the third one and for the end of the question, in a window that has only two.
    case undecided
    /// The pinentry gave up waiting for the person.
    case unanswered

    /// Our own words, safe to show.
    package var reason: String {
        switch self {
        case .missing(let fault): fault
        case .ended: "the pinentry ended before it answered"
        case .hung: "the pinentry did not answer in time"
        case .malformed(let fault): "the pinentry does not speak its protocol: \(fault)"
        case .refused(let number): "the pinentry could not ask (its error \(number))"
        case .cancelled: "cancelled at the pinentry"
        case .declined: "declined at the pinentry"
        case .undecided: "not decided at the pinentry"
        case .unanswered: "nobody answered the pinentry"
        }
    }

    /// From the number of an `ERR` line: the low 16 bits are the cause (gpg-error.h), the high bits its source.
    init(number: UInt32) {
        self =
            switch number & 0xFFFF {
            case 99, 198: .cancelled
            case 114: .declined
            case 62: .unanswered
            default: .refused(number)
            }
    }
}
