package import Basics
package import SessionModel

/// The log's notes about sessions.
extension LocalSessions {
    var notes: NoteMaker { NoteMaker(clock: clock, makeID: makeID, requester: requester) }

    /// These sessions, used on behalf of `requester`.
    package func asked(by requester: Requester) -> LocalSessions {
        var sessions = self
        sessions.requester = requester
        return sessions
    }

    /// Moves the waiting notes into the log. Throws if the log's key is not there.
    package func settleNotes() throws {
        if let log, try store.countOfPendingNotes() > 0 { try log.take(from: store) }
    }

    /// The person refused a program's request.
    package func noteRefusal(_ program: Program, _ aim: TokenAim, _ session: SignIn) throws {
        try store.add(try notes.refused(program, aim.scopes ?? session.granted, session))
    }

    /// Throws a failure of kind `locked` where the log's key is not there.
    package func history(_ request: SessionHistoryRequest) throws -> SessionHistoryPayload {
        guard let log else { throw SessionError.notAtHand }
        // A broken log takes no notes, and is reported.
        let settled = Result { try settleNotes() }
        let verdict = try log.verify()
        var notes: [LoggedNote]
        switch verdict {
        case .broken where request.isVerified: notes = (try? log.notes()) ?? []
        case .broken: notes = try log.notes()
        case .intact:
            try settled.get()
            notes = try log.notes()
        }
        if let since = request.since { notes.removeAll { $0.note.at < since.date } }
        if let limit = request.limit { notes = notes.suffix(limit) }
        return SessionHistoryPayload(notes, verdict, failures: request.isVerified ? try damaged() : nil)
    }
}
