/// One thing that was looked at when an issuer was examined, in our own words: lower case, no full stop, safe to show.
package struct IssuerFinding: Sendable, Equatable {
    package enum Verdict: Sendable, Equatable {
        case right
        /// A person should know it; a login works.
        case note
        /// A login does not work, or not safely.
        case wrong
    }

    /// The subject of the check, one or two words.
    package var topic: String
    package var verdict: Verdict
    package var words: String
    /// A remedy for the person; nil if none is known.
    package var hint: String?

    package init(_ topic: String, _ verdict: Verdict, _ words: String, hint: String? = nil) {
        self.topic = topic
        self.verdict = verdict
        self.words = words
        self.hint = hint
    }
}
