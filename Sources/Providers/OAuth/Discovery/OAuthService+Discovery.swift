public import Basics
import FoundationEssentials
public import Sessions
import Web

extension OAuthService {
    public func discover(_ target: WebAddress, issuer chosen: Issuer?) async throws(IssuerError) -> DiscoveredIssuer {
        var tried: [IssuerError.Tried] = []
        do throws(Missing) {
            let found = try await issuer(target)
            guard chosen.map({ $0 == found.issuer }) ?? true else {
                throw Missing(tried: [.init(target, reason: "it is another issuer")])
            }
            return DiscoveredIssuer(found)
        } catch {
            tried += error.tried
            // Try it as a resource too: a resource may serve its issuer's document under its own address.
            let byResource: (Issuer, ResourceIndicator)
            do throws(Missing) {
                byResource = try await resource(target, chosen)
            } catch let missing {
                if let several = missing.contradiction, case .several = several { throw several }
                if let contradiction = error.contradiction ?? missing.contradiction { throw contradiction }
                throw .notFound(tried: tried + missing.tried)
            }
            do throws(Missing) {
                return DiscoveredIssuer(
                    try await issuer(byResource.0.address, byResource.0.text), resource: byResource.1)
            } catch let missing {
                if let contradiction = missing.contradiction { throw contradiction }
                throw .notFound(tried: tried + missing.tried)
            }
        }
    }

    /// Why no document was found: the addresses that were tried, and a contradiction found among them.
    struct Missing: Error {
        var tried: [IssuerError.Tried] = []
        var contradiction: IssuerError?
    }

    // MARK: As issuer

    /// Fetches both documents of an issuer and merges them. `text`: the issuer's identifier, if it is known. Otherwise the
    /// documents may name the target with or without a slash at its end, since both lead to the same documents and issuers write
    /// either.
    private func issuer(_ target: WebAddress, _ text: String? = nil) async throws(Missing) -> IssuerMetadata {
        let base = target.base
        let names = text.map { [$0] } ?? [base.text, base.text + "/"]
        let places = Self.places(of: base)
        var missing = Missing()
        var documents: [JSONValue] = []
        for place in places {
            switch await document(place) {
            case .failure(let why): missing.tried.append(.init(place, reason: why.reason))
            case .success(let document):
                guard let issuer = document["issuer"]?.text, names.contains(where: { $0.isSame(as: issuer) }) else {
                    missing.tried.append(.init(place, reason: "it names another issuer"))
                    missing.contradiction = .contradiction(
                        reason: "the document at \(place.hostForPeople) names another issuer than \(base.text)")
                    continue
                }
                documents.append(document)
            }
        }
        guard let first = documents.first else { throw missing }
        do {
            return try IssuerMetadata(first, documents.dropFirst().first, fetchedAt: now())
        } catch {
            throw Missing(tried: missing.tried, contradiction: error)
        }
    }

    /// Where an issuer's documents are (OpenID Connect Discovery 1.0 section 4, RFC 8414 section 3.1).
    static func places(of base: WebAddress) -> [WebAddress] {
        [
            base.appending(path: "/.well-known/openid-configuration"),
            try? WebAddress(base.origin + "/.well-known/oauth-authorization-server" + base.path),
        ].compactMap(\.self)
    }

    // MARK: As resource (RFC 9728)

    private func resource(
        _ target: WebAddress, _ chosen: Issuer?
    ) async throws(Missing) -> (Issuer, ResourceIndicator) {
        var places: [WebAddress] = []
        var missing = Missing()
        if let answer = try? await transport.send(.document(target)), answer.status == 401 {
            let challenges = Challenges(answer.challenges).all
            places += challenges.compactMap(\.metadata).filter { $0.origin == target.origin }
            if places.isEmpty, let page = challenges.compactMap(\.page).first {
                missing.tried.append(.init(target, reason: "it names only a page, \(page.text)"))
            }
        }
        if let usual = try? WebAddress(target.origin + "/.well-known/oauth-protected-resource" + target.path),
            !places.contains(usual)
        {
            places.append(usual)
        }
        for place in places {
            switch await document(place) {
            case .failure(let why): missing.tried.append(.init(place, reason: why.reason))
            case .success(let document):
                do throws(Missing) { return try Self.named(by: document, at: place, of: target, chosen) } catch {
                    missing.tried += error.tried
                    if case .several = error.contradiction { throw error }
                    missing.contradiction = error.contradiction ?? missing.contradiction
                }
            }
        }
        throw missing
    }

    /// The issuer that a resource's document names, or of several the `chosen` one. Throws `Missing`.
    static func named(
        by document: JSONValue, at place: WebAddress, of target: WebAddress, _ chosen: Issuer? = nil
    ) throws(Missing) -> (Issuer, ResourceIndicator) {
        guard let resource = document["resource"]?.text,
            [target.text, target.path.isEmpty ? target.text + "/" : target.text].contains(where: {
                $0.isSame(as: resource)
            }), let indicator = ResourceIndicator(resource)
        else {
            throw Missing(
                tried: [.init(place, reason: "it is about another resource")],
                contradiction: .contradiction(
                    reason: "the document at \(place.hostForPeople) is about another resource than \(target.text)"))
        }
        let issuers = (document["authorization_servers"]?.texts ?? []).compactMap { Issuer($0) }
        guard let first = issuers.first else { throw Missing(tried: [.init(place, reason: "it names no issuer")]) }
        guard chosen != nil || issuers.count == 1 else { throw Missing(contradiction: .several(issuers, of: target)) }
        let issuer = chosen ?? first
        guard issuers.contains(issuer) else {
            throw Missing(
                contradiction: .contradiction(
                    reason: "\(target.hostForPeople) does not name \(issuer.address.text) as an issuer"))
        }
        // A service elsewhere must not make us call an issuer on this computer.
        guard target.isLoopback || !issuer.address.isLoopback else {
            throw Missing(
                tried: [.init(place, reason: "it names an issuer on this computer")],
                contradiction: .contradiction(
                    reason: "\(target.hostForPeople) names an issuer on this computer"))
        }
        return (issuer, indicator)
    }

    /// Why a document cannot be had, in our own words.
    struct NoDocument: Error {
        var reason: String
    }

    private func document(_ address: WebAddress) async -> Result<JSONValue, NoDocument> {
        let answer: Answer
        do {
            answer = try await transport.send(.document(address))
        } catch {
            return .failure(NoDocument(reason: error.reason))
        }
        guard answer.redirect == nil else { return .failure(NoDocument(reason: "it answered with a redirect")) }
        guard answer.status == 200 else { return .failure(NoDocument(reason: "HTTP \(answer.status)")) }
        guard let object = answer.object else { return .failure(NoDocument(reason: "the answer is no JSON object")) }
        return .success(object)
    }
}

extension String {
    /// Compares byte for byte: Swift's `==` also equates texts that merely look alike.
    func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
