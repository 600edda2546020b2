import Basics
import Keys

/// A place beside the disk for a session's tokens, for when the disk cannot be written: one entry per session, sealed as its row
/// is.
package protocol RescueStore: Sendable {
    /// Keeps these tokens in place of the session's earlier ones. Throws if there is no such place, or if it cannot be written
    /// either.
    func rescue(_ tokens: TokenSet, of session: SessionID) throws
    /// Nil if no tokens of this session are kept here.
    func rescued(_ session: SessionID) throws -> TokenSet?
    /// Removes the tokens of this session, if there are any.
    func forgetRescued(_ session: SessionID) throws
}

extension SessionStore {
    /// The newest tokens of a session, even if those of its last renewal could not be written into its row. Nil when
    /// the session is gone. Looks in the other place only if the row has a renewal mark; a value there that cannot be
    /// read counts as empty.
    package func newestTokens(of session: SessionID) throws -> TokenSet? {
        guard let row = try tokens(of: session) else { return nil }
        return (try? rescued(session, after: row)) ?? row
    }

    /// The tokens of the renewal that left its mark in this row, if they could not be written there. Throws if the
    /// place cannot be read: the row's refresh token may be spent then. An item that was changed there is of no use,
    /// and counts as none.
    package func rescued(_ session: SessionID, after row: TokenSet) throws -> TokenSet? {
        guard let mark = row.mark, row.end == nil, let kept = try intact(session), let own = kept.mark,
            // A login starts the generations anew, so their numbers alone prove nothing.
            own.generation == mark.generation, own.since == mark.since, kept.generation > row.generation
        else { return nil }
        var next = kept
        next.mark = nil
        return next
    }

    private func intact(_ session: SessionID) throws -> TokenSet? {
        do { return try rescued(session) } catch StoreError.damaged { return nil }
    }
}
