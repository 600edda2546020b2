/// A place beside the disk for the tokens of a session, for when the disk takes nothing: one entry for each session, sealed as its row is.
public protocol RescueStore: Sendable {
    /// Keeps tokens in place of those that it had of this session. Throws where there is no such place, or it takes nothing either.
    func rescue(_ tokens: TokenSet, of session: SessionID) throws
    /// Nil where it has none of this session.
    func rescued(_ session: SessionID) throws -> TokenSet?
    /// Removes those of this session, if there are any.
    func forgetRescued(_ session: SessionID) throws
}

extension SessionStore {
    /// The tokens of a session: those of its last renewal also where they could not be written into its row. Nil when the session is gone.
    /// Only a row with a mark makes it look in the other place.
    public func newestTokens(of session: SessionID) throws -> TokenSet? {
        guard let row = try tokens(of: session) else { return nil }
        return rescued(session, after: row) ?? row
    }

    /// What the renewal that left its mark in this row brought, where it could not be written there. What cannot be looked at counts as not
    /// being there.
    func rescued(_ session: SessionID, after row: TokenSet) -> TokenSet? {
        guard let mark = row.mark, row.end == nil, let kept = try? rescued(session), let own = kept.mark,
            // A login begins generations anew, so their numbers alone say nothing.
            own.generation == mark.generation, own.since == mark.since, kept.generation > row.generation
        else { return nil }
        var next = kept
        next.mark = nil
        return next
    }
}
