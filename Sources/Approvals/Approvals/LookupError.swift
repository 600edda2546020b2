import Basics

/// Why a name or reference cannot be used: it names nothing, or several things, or a connection that cannot be called.
/// Each case carries the name or reference as the person wrote it.
package enum LookupError: Error, Sendable, Equatable {
    /// `like`: the name that the person may have meant.
    case noConnection(String, like: String? = nil)
    /// Like `noConnection`, and there are no other connections either.
    case noBank(String)
    case noAuthorization(String)
    case noConsent(String)
    /// The reference means any of the candidates.
    case ambiguous(String, candidates: [String])
    /// Only a whole reference `NAME:ID` is accepted here.
    case needsWholeReference(String)
    /// The same for the reference of a consent.
    case needsWholeConsent(String)
    /// The bank no longer knows this connection.
    case inactive(String)

    /// No connection has this name; finds the most similar one.
    package init(noConnection wanted: String, among names: [String]) {
        self =
            names.isEmpty
            ? .noBank(wanted) : .noConnection(wanted, like: Likeness.nearest(to: wanted, among: names).first)
    }
}
