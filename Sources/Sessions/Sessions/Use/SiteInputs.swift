package import Basics
package import SessionModel
package import Verbs

// The inputs of the verbs of sites.

/// A site that the person wants, to be judged.
package struct SiteWish: JSONInput {
    package var wish: Sites.Wish

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case rule, session, scopes, resource, onChallenge, realm, username
    }

    package init(_ wish: Sites.Wish) { self.wish = wish }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        wish = try Sites.Wish(
            rule: members.decode(String.self, forKey: .rule),
            session: members.decodeIfPresent(String.self, forKey: .session),
            scopes: members.decodeIfPresent([String].self, forKey: .scopes),
            resource: members.decodeIfPresent(String.self, forKey: .resource),
            isOnChallenge: members.decodeIfPresent(Bool.self, forKey: .onChallenge) ?? false,
            realm: members.decodeIfPresent(String.self, forKey: .realm),
            userName: members.decodeIfPresent(String.self, forKey: .username))
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(wish.rule.text, forKey: .rule)
        try members.encodeIfPresent(wish.session, forKey: .session)
        try members.encodeIfPresent(wish.scopes?.all, forKey: .scopes)
        try members.encodeIfPresent(wish.resource?.text, forKey: .resource)
        try members.encode(wish.isOnChallenge, forKey: .onChallenge)
        try members.encodeIfPresent(wish.realm, forKey: .realm)
        try members.encodeIfPresent(wish.userName, forKey: .username)
    }
}

/// A site that the person saw on a card and wants to be bound.
package struct NewSite: QueryInput {
    package var wish: Sites.Wish
    /// The source, as the card named it, of the claim that the service belongs to the session's issuer. If the source
    /// has changed by now, nothing is bound.
    package var proof: Site.Proof

    package enum Name: String, CaseIterable, Sendable {
        case rule, session, scopes, resource, realm, username, verified
        case onChallenge = "on_challenge"
    }

    package init(_ wish: Sites.Wish, proof: Site.Proof) {
        self.wish = wish
        self.proof = proof
    }

    package init(_ query: VerbQuery<Name>) throws {
        guard let rule = query[.rule] else { throw Failure.usage("a site has a rule: an address or a host") }
        guard let proof = query[.verified].flatMap(Site.Proof.init) else {
            throw Failure.usage("verified is neither metadata nor person")
        }
        let wish = try Sites.Wish(
            rule: rule, session: query[.session], scopes: query[.scopes].map { [$0] }, resource: query[.resource],
            isOnChallenge: try query.flag(.onChallenge) ?? false, realm: query[.realm], userName: query[.username])
        self.init(wish, proof: proof)
    }

    package func write(to query: inout VerbQuery<Name>) {
        query[.rule] = wish.rule.text
        query[.session] = wish.session
        query[.scopes] = wish.scopes?.text
        query[.resource] = wish.resource?.text
        query.set(.onChallenge, to: wish.isOnChallenge)
        query[.realm] = wish.realm
        query[.username] = wish.userName
        query[.verified] = proof.rawValue
    }
}

extension Sites.Wish {
    /// Reads the words of a person or a request. Throws a usage failure.
    package init(
        rule: String, session: String? = nil, scopes: [String]? = nil, resource: String? = nil,
        isOnChallenge: Bool = false, realm: String? = nil, userName: String? = nil
    ) throws {
        self.init(try Self.rule(rule), session: session)
        self.scopes = try scopes.map { try Scopes.named(in: $0) }
        self.resource = try resource.map { text in
            guard let resource = ResourceIndicator(text) else { throw Failure.badResource }
            return resource
        }
        self.isOnChallenge = isOnChallenge
        self.realm = realm
        self.userName = try userName.map { try Self.userName($0) }
        if case .prefix = self.rule, realm != nil, !isOnChallenge {
            throw Failure.usage("a realm is for sites that are for challenges alone")
        }
        guard (1...512).contains(realm?.utf8.count ?? 1) else {
            throw Failure.usage("a realm has 1 to 512 bytes")
        }
    }

    private static func rule(_ text: String) throws(Failure) -> SiteRule {
        do {
            return try SiteRule(reading: text)
        } catch {
            throw Failure.usage(
                error.reason, hint: "give an address such as https://api.fern.example/v1, or a host alone")
        }
    }

    /// It goes into a line of git's protocol.
    private static func userName(_ text: String) throws(Failure) -> String {
        guard !text.isEmpty, text.utf8.count <= 255,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") })
        else { throw Failure.usage("this is not a user name", hint: "printable ASCII without spaces and colons") }
        return text
    }
}

/// A request, to find the site that is for it.
package struct SiteMatchRequest: JSONInput, Equatable {
    package var url: WebAddress
    /// As in `HeadersRequest`.
    package var challenge: [String]?

    package enum CodingKeys: String, CodingKey, CaseIterable { case url, challenge }

    package init(url: WebAddress, challenge: [String]? = nil) {
        self.url = url
        self.challenge = challenge
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        url = try members.requestAddress(forKey: .url)
        challenge = try members.decodeIfPresent([String].self, forKey: .challenge)
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(url.text, forKey: .url)
        try members.encodeIfPresent(challenge, forKey: .challenge)
    }
}

/// Which site is to be checked.
package struct SiteCheckRequest: JSONInput, Equatable {
    /// Its id or rule; nil for all.
    package var site: String?

    package enum CodingKeys: String, CodingKey, CaseIterable { case site }

    package init(site: String?) { self.site = site }
}
