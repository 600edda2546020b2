package import Basics
package import SessionModel
package import Verbs

// The inputs of the verbs of one session that is there.

package struct ShowOptions: QueryInput {
    /// Whether the issuer is asked for name and address of the person now.
    package var refresh: Bool

    package enum Name: String, CaseIterable, Sendable { case refresh }

    package init(refresh: Bool) { self.refresh = refresh }

    package init(_ query: VerbQuery<Name>) throws { refresh = try query.flag(.refresh) ?? false }

    package func write(to query: inout VerbQuery<Name>) { query.set(.refresh, to: refresh) }
}

/// A change of a session.
package struct SessionChange: JSONInput {
    package var name: SessionName

    package enum CodingKeys: String, CodingKey, CaseIterable { case name }

    package init(name: SessionName) { self.name = name }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        guard let name = SessionName(try members.decode(String.self, forKey: .name)) else {
            throw Failure.badSessionName
        }
        self.name = name
    }
}

package struct SignOutOptions: QueryInput {
    /// Whether to leave the issuer out.
    package var localOnly: Bool
    /// Whether the issuer's page that signs a browser out is wanted.
    package var browser: Bool

    package enum Name: String, CaseIterable, Sendable {
        case localOnly = "local_only"
        case browser
    }

    package init(localOnly: Bool, browser: Bool) {
        self.localOnly = localOnly
        self.browser = browser
    }

    package init(_ query: VerbQuery<Name>) throws {
        self.init(localOnly: try query.flag(.localOnly) ?? false, browser: try query.flag(.browser) ?? false)
    }

    package func write(to query: inout VerbQuery<Name>) {
        query.set(.localOnly, to: localOnly)
        query.set(.browser, to: browser)
    }
}

extension Failure {
    /// A text cannot be the name of a session.
    package static let badSessionName = Failure.usage(
        "this is not a name for a session", hint: "a-z, 0-9 and -, at most 32 characters, not beginning with -")
}
