import Basics
package import FoundationEssentials
package import SessionModel

/// An event about sessions, and when it happened. It names the session or the request and nothing else: a watcher that
/// may know more asks for it.
package struct SessionEvent: Sendable {
    package enum Kind: Sendable, Equatable {
        /// A session of this name came, changed or went. That its tokens were renewed is no change.
        case session(SessionName)
        /// The request of a program waits for the person's answer.
        case request(id: String)
        /// A request no longer waits.
        case requestGone(id: String)
    }

    package enum Name: String, Codable, Sendable, CaseIterable {
        case session, request
        case requestGone = "request_gone"
    }

    /// Rounded down to a second, like its JSON.
    package let at: Date
    package let kind: Kind

    package init(_ kind: Kind, at now: Date) {
        self.kind = kind
        at = Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down))
    }

    package var name: Name {
        switch kind {
        case .session: .session
        case .request: .request
        case .requestGone: .requestGone
        }
    }
}

/// As JSON: `event` with its name, `at`, and `session` with the name of a session or `request` with the id of a request.
extension SessionEvent: Codable {
    private enum CodingKeys: CodingKey { case event, at, session, request }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(name, forKey: .event)
        try members.encode(Timestamp(at), forKey: .at)
        switch kind {
        case .session(let name): try members.encode(name.text, forKey: .session)
        case .request(let id), .requestGone(let id): try members.encode(id, forKey: .request)
        }
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let at = try members.decode(Timestamp.self, forKey: .at).date
        let kind: Kind
        switch try members.decode(Name.self, forKey: .event) {
        case .session:
            guard let name = SessionName(try members.decode(String.self, forKey: .session)) else {
                throw DecodingError.dataCorruptedError(forKey: .session, in: members, debugDescription: "not a name")
            }
            kind = .session(name)
        case .request: kind = .request(id: try members.decode(String.self, forKey: .request))
        case .requestGone: kind = .requestGone(id: try members.decode(String.self, forKey: .request))
        }
        self.init(kind, at: at)
    }
}
