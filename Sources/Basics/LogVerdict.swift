/// The result of checking the log of decisions.
public enum LogVerdict: Sendable, Equatable {
    /// Every event is there and unchanged.
    case intact(events: Int)
    /// Our own words: which event, and what is wrong with it.
    case broken(String)

    /// As answers have it: `intact`, or `broken at …`.
    public var text: String {
        switch self {
        case .intact: "intact"
        case .broken(let place): "broken at \(place)"
        }
    }
}
