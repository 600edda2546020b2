/// What a check of a chained log found.
public enum LogVerdict: Sendable, Equatable {
    case intact(events: Int)
    /// Our own words: which event, and what is wrong with it.
    case broken(String)
}
