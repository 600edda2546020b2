public import Basics

// The inputs of the verbs of one session that is there.

public struct ShowOptions: QueryInput {
    /// Whether the issuer is asked for name and address of the person now.
    public var refresh: Bool

    public enum Name: String, CaseIterable, Sendable { case refresh }

    public init(refresh: Bool) { self.refresh = refresh }

    public init(_ query: VerbQuery<Name>) throws { refresh = try query.flag(.refresh) ?? false }

    public func write(to query: inout VerbQuery<Name>) { query.set(.refresh, to: refresh) }
}

/// A change of a session.
public struct SessionChange: JSONInput {
    public var name: SessionName

    public enum CodingKeys: String, CodingKey, CaseIterable { case name }

    public init(name: SessionName) { self.name = name }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        guard let name = SessionName(try members.decode(String.self, forKey: .name)) else {
            throw Failure.badSessionName
        }
        self.name = name
    }
}

public struct SignOutOptions: QueryInput {
    /// Whether to leave the issuer out.
    public var localOnly: Bool
    /// Whether the issuer's page that signs a browser out is wanted.
    public var browser: Bool

    public enum Name: String, CaseIterable, Sendable {
        case localOnly = "local_only"
        case browser
    }

    public init(localOnly: Bool, browser: Bool) {
        self.localOnly = localOnly
        self.browser = browser
    }

    public init(_ query: VerbQuery<Name>) throws {
        self.init(localOnly: try query.flag(.localOnly) ?? false, browser: try query.flag(.browser) ?? false)
    }

    public func write(to query: inout VerbQuery<Name>) {
        query.set(.localOnly, to: localOnly)
        query.set(.browser, to: browser)
    }
}

extension Failure {
    /// A text cannot be the name of a session.
    public static let badSessionName = Failure.usage(
        "this is not a name for a session", hint: "a-z, 0-9 and -, at most 32 characters, not beginning with -")
}
