import Basics

/// Why a name or reference cannot be used: it names nothing, or several things, or a connection that cannot be called.
/// Equality is by code alone.
package struct LookupError: Error, Sendable, Equatable {
    package enum Code: Sendable {
        case noConnection
        /// Like `noConnection`, and there are no other connections either.
        case noBank
        case noAuthorization
        case noConsent
        /// Several things match; `candidates` lists them.
        case ambiguous
        /// Only a whole reference `NAME:ID` is accepted here.
        case needsWholeReference
        /// The same for the reference of a consent.
        case needsWholeConsent
        /// The bank no longer knows this connection.
        case inactive
    }

    package var code: Code
    /// The reference or name as the person wrote it.
    package var wanted: String
    /// Names or references that the person may have meant.
    package var candidates: [String]

    package init(_ code: Code, wanted: String, candidates: [String] = []) {
        self.code = code
        self.wanted = wanted
        self.candidates = candidates
    }

    package static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}

extension LookupError {
    /// No connection has this name; finds similar names.
    package init(noConnection wanted: String, among names: [String]) {
        self.init(
            names.isEmpty ? .noBank : .noConnection, wanted: wanted,
            candidates: Likeness.nearest(to: wanted, among: names))
    }
}
