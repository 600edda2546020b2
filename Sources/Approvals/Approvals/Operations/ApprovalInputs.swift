package import Basics
package import ApprovalModel
package import Verbs

// The inputs of the verbs of approvals. Each type names its members once, for both ends of the socket.

package struct NewName: JSONInput {
    package var name: ConnectionName

    package enum CodingKeys: String, CodingKey, CaseIterable { case name }

    package init(name: ConnectionName) { self.name = name }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try ConnectionName(checking: try members.decode(String.self, forKey: .name))
    }
}

package struct RevokeOptions: QueryInput {
    package var localOnly: Bool

    package enum Name: String, CaseIterable, Sendable { case localOnly = "local_only" }

    package init(localOnly: Bool) { self.localOnly = localOnly }

    package init(_ query: VerbQuery<Name>) throws { localOnly = try query.flag(.localOnly) ?? false }

    package func write(to query: inout VerbQuery<Name>) { query.set(.localOnly, to: localOnly) }
}

package struct PendingRequest: QueryInput {
    /// Nil for all connections.
    package var connection: String?
    /// Whether to list only the requests that the agent knows already, without a call to a bank.
    package var known: Bool

    package enum Name: String, CaseIterable, Sendable { case connection, known }

    package init(connection: String?, known: Bool = false) {
        self.connection = connection
        self.known = known
    }

    package init(_ query: VerbQuery<Name>) throws {
        self.init(connection: query[.connection], known: try query.flag(.known) ?? false)
    }

    package func write(to query: inout VerbQuery<Name>) {
        query[.connection] = connection
        query.set(.known, to: known)
    }
}

package struct CardOptions: QueryInput {
    /// Whether the beginning of a reference is accepted.
    package var abbreviated: Bool
    /// Whether the answer includes the decrypted plaintext.
    package var withSource: Bool

    package enum Name: String, CaseIterable, Sendable { case abbreviated, source }

    package init(abbreviated: Bool = false, withSource: Bool = false) {
        self.abbreviated = abbreviated
        self.withSource = withSource
    }

    package init(_ query: VerbQuery<Name>) throws {
        self.init(
            abbreviated: try query.flag(.abbreviated) ?? false, withSource: try query.flag(.source) ?? false)
    }

    package func write(to query: inout VerbQuery<Name>) {
        query.set(.abbreviated, to: abbreviated)
        query.set(.source, to: withSource)
    }
}

extension DecisionRequest {
    /// Everything except the reference.
    package struct Terms: QueryInput {
        package var fingerprint: Fingerprint
        package var position: Geolocation?
        package var waits: Bool
        package var option: String?
        package var reason: DenialReason?

        package enum Name: String, CaseIterable, Sendable { case fingerprint, position, waits, option, reason }

        package init(_ query: VerbQuery<Name>) throws {
            guard let fingerprint = query[.fingerprint].flatMap(Fingerprint.init(hex:)) else {
                throw Failure.usage(
                    "a decision names what was shown by all 64 digits of its fingerprint",
                    hint: "add ?fingerprint=HEX, as the authorization has it")
            }
            self.fingerprint = fingerprint
            position = try query[.position].map { text in
                guard let position = Geolocation(text) else {
                    throw Failure.usage(
                        "this is not a position", hint: "decimal degrees, for example: 48.137154,11.576124")
                }
                return position
            }
            waits = try query.flag(.waits) ?? true
            option = query[.option]
            reason = try query[.reason].map { word in
                guard let reason = DenialReason(rawValue: word) else {
                    throw Failure.usage("unknown reason", hint: "not-me or cancelled")
                }
                return reason
            }
        }

        package func write(to query: inout VerbQuery<Name>) {
            query[.fingerprint] = fingerprint.hex
            query[.position] = position.map { "\($0.latitude),\($0.longitude)" }
            query.set(.waits, to: waits, else: true)
            query[.option] = option
            query[.reason] = reason?.rawValue
        }

        fileprivate init(_ request: DecisionRequest) {
            fingerprint = request.fingerprint
            position = request.position
            waits = request.waits
            option = request.option
            reason = request.reason
        }
    }

    package var terms: Terms { Terms(self) }

    package init(ref: String, _ terms: Terms) {
        self.init(
            ref: ref, fingerprint: terms.fingerprint, position: terms.position, waits: terms.waits,
            option: terms.option, reason: terms.reason)
    }
}

extension HistoryRequest: QueryInput {
    package enum Name: String, CaseIterable, Sendable { case connection, since, limit, verify, source }

    package init(_ query: VerbQuery<Name>) throws {
        self.init(
            connection: query[.connection], since: try query.time(.since), limit: try query.count(.limit),
            isVerified: try query.flag(.verify) ?? false, withSource: try query.flag(.source) ?? false)
    }

    package func write(to query: inout VerbQuery<Name>) {
        query[.connection] = connection
        query[.since] = since?.text
        query[.limit] = limit.map { String($0) }
        query.set(.verify, to: isVerified)
        query.set(.source, to: withSource)
    }
}

package struct CandidatesRequest: JSONInput {
    package var link: GivenLink

    package enum CodingKeys: String, CodingKey, CaseIterable { case link }

    package init(link: GivenLink) { self.link = link }
}

package struct ClaimRequest: JSONInput {
    package var link: GivenLink
    package var connection: String
    /// Whether a page led here by the link.
    package var clicked: Bool
    /// For a request: whether it is listed until it is decided.
    package var listed: Bool

    package enum CodingKeys: String, CodingKey, CaseIterable { case link, connection, clicked, listed }

    package init(link: GivenLink, connection: String, clicked: Bool = false, listed: Bool = true) {
        self.link = link
        self.connection = connection
        self.clicked = clicked
        self.listed = listed
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        link = try members.decode(GivenLink.self, forKey: .link)
        connection = try members.decode(String.self, forKey: .connection)
        clicked = try members.decodeIfPresent(Bool.self, forKey: .clicked) ?? false
        listed = try members.decodeIfPresent(Bool.self, forKey: .listed) ?? true
    }
}

package struct ConsentsRequest: QueryInput {
    /// Nil for all connections.
    package var connection: String?

    package enum Name: String, CaseIterable, Sendable { case connection }

    package init(connection: String?) { self.connection = connection }

    package init(_ query: VerbQuery<Name>) { connection = query[.connection] }

    package func write(to query: inout VerbQuery<Name>) { query[.connection] = connection }
}
