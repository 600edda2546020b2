package import FoundationEssentials

/// The result of checking the log of decisions.
package enum LogVerdict: Sendable, Equatable {
    /// Every event is there and unchanged, except for breaks that the person accepted with the PIN.
    case intact(events: Int, accepted: [AcceptedBreak] = [])
    /// Our own words: the event and its fault.
    case broken(String)

    /// As answers have it: `intact`, or `broken at …`.
    package var text: String {
        switch self {
        case .intact: "intact"
        case .broken(let place): "broken at \(place)"
        }
    }

    /// The breaks that the person accepted, oldest first.
    package var accepted: [AcceptedBreak] {
        if case .intact(_, let accepted) = self { accepted } else { [] }
    }
}

/// A break of the log that the person looked at, and accepted with the PIN. The acceptance is an event of the log.
package struct AcceptedBreak: Sendable, Equatable {
    package var at: Date
    /// Why the verification failed, in our own words.
    package var reason: String

    package init(at: Date, reason: String) {
        self.at = at
        self.reason = reason
    }
}
