import SessionModel

extension SessionHistoryPayload.Entry {
    /// The event in words of our own.
    package var eventWords: String {
        event == SessionNote.Event.completed.rawValue
            ? "a renewal was interrupted and completed" : event.replacing("_", with: " ")
    }

    /// The details in words of our own; as they are, if this build does not know them.
    package var detailWords: String? {
        detail.map { detail in
            let known: String? =
                switch SessionNote.Event(rawValue: event) {
                case .signedOut: NoteMaker.Issuer(rawValue: detail)?.words
                case .ended: EndReason(rawValue: detail)?.words
                case .revoked: NoteMaker.Revocation(rawValue: detail)?.words
                case .handedOut: detail == "1" ? "1 token" : "\(detail) tokens"
                // A word that says enough: that it was again, and when the program gets tokens.
                case .signedIn, .granted: detail
                // They have none.
                case .completed, .refused, .suspended, nil: nil
                }
            return known ?? detail.replacing("_", with: " ")
        }
    }
}

extension NoteMaker.Issuer {
    fileprivate var words: String {
        switch self {
        case .revoked: "its tokens were revoked"
        case .owed: "its tokens are still to be revoked"
        case .local: "the issuer was not told"
        }
    }
}

extension NoteMaker.Revocation {
    fileprivate var words: String {
        switch self {
        case .cut: "with the tokens it had"
        case .byItself: "by itself"
        }
    }
}

extension EndReason {
    fileprivate var words: String {
        switch self {
        case .rejected: "the issuer no longer accepts it"
        case .interrupted: "the answer to a renewal was lost"
        case .changed: "the issuer answered for somebody else"
        case .damaged: "damaged"
        case .signedOut: "signed out"
        case .timeOver: "its time was over"
        case .left: "you left"
        }
    }
}
