/// The person at the other end of a front end, if there is one.
package enum Audience: Sendable, Equatable {
    /// A person. `typesWords`: on a terminal, where any text can be typed and options stand on the command line; else in windows.
    case person(typesWords: Bool)
    /// A script. It answers no question: it has said beforehand, by options, all that a person would be asked for.
    case nobody
}
