package import Basics
import FoundationEssentials
package import SessionModel
import Web

extension OAuthService {
    package func discover(_ target: WebAddress, issuer chosen: Issuer?) async throws(IssuerError) -> DiscoveredIssuer {
        var tried: [IssuerError.Tried] = []
        do throws(Missing) {
            let found = try await issuer(target)
            if let chosen, !found.issuer.isFound(at: chosen.address) {
                let words = IssuerError.words("it", names: found.issuer.text, not: chosen)
                throw Missing(tried: [.init(target, reason: words)])
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
                return DiscoveredIssuer(try await issuer(byResource.0.address), resource: byResource.1)
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

    /// Fetches both documents of an issuer and merges them.
    private func issuer(_ target: WebAddress) async throws(Missing) -> IssuerMetadata {
        var missing = Missing()
        var documents: [JSON] = []
        for place in Self.places(of: target.base) {
            switch await transport.document(place) {
            case .failure(let why): missing.tried.append(.init(place, reason: why.reason, obstacle: why.obstacle))
            case .success((let document, _)):
                do throws(WrongIssuer) { try Self.demandIssuer(of: document, at: target.base) } catch {
                    missing.tried.append(.init(place, reason: error.words("it")))
                    missing.contradiction = .contradiction(
                        reason: error.words("the document at \(place.hostForPeople)"))
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

    /// A document names another issuer than the wanted issuer.
    struct WrongIssuer: Error {
        var told: String?
        var wanted: WebAddress

        func words(_ subject: String) -> String { IssuerError.words(subject, names: told, not: wanted.text) }
    }

    /// Throws unless an issuer's document names an issuer that is found at `base`.
    static func demandIssuer(of document: JSON, at base: WebAddress) throws(WrongIssuer) {
        let told = document["issuer"]?.text
        guard let issuer = told.flatMap({ Issuer($0) }), issuer.isFound(at: base) else {
            throw WrongIssuer(told: told, wanted: base)
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
        let (places, page) = await places(describing: target)
        var missing = Missing()
        if let page {
            missing.tried.append(.init(target, reason: "it names only a page, \(page.text)"))
        }
        for place in places {
            switch await transport.document(place.address) {
            case .failure(let why):
                missing.tried.append(.init(place.address, reason: why.reason, obstacle: why.obstacle))
            case .success((let document, _)):
                do throws(Missing) {
                    return try Self.named(by: document, at: place.address, of: target, chosen)
                } catch {
                    missing.tried += error.tried
                    if case .several = error.contradiction { throw error }
                    // A description at a parent path is often about a neighbour.
                    if !place.isAbove { missing.contradiction = error.contradiction ?? missing.contradiction }
                }
            }
        }
        throw missing
    }

    /// The issuer that a resource's document names, or of several the `chosen` one. Throws `Missing`.
    static func named(
        by document: JSON, at place: WebAddress, of target: WebAddress, _ chosen: Issuer? = nil
    ) throws(Missing) -> (Issuer, ResourceIndicator) {
        let told = document["resource"]?.text
        guard let indicator = told.flatMap({ ResourceIndicator($0) }), indicator.covers(target) else {
            let words = "is about \(told.map(IssuerError.quoted) ?? "no resource"), which does not cover \(target.text)"
            throw Missing(
                tried: [.init(place, reason: "it \(words)")],
                contradiction: .contradiction(reason: "the document at \(place.hostForPeople) \(words)"))
        }
        let issuers = (document["authorization_servers"]?.texts ?? []).compactMap { Issuer($0) }
        guard let first = issuers.first else { throw Missing(tried: [.init(place, reason: "it names no issuer")]) }
        guard chosen != nil || issuers.count == 1 else { throw Missing(contradiction: .several(issuers, of: target)) }
        guard let issuer = chosen.map({ wanted in issuers.first { $0.isFound(at: wanted.address) } }) ?? first else {
            let names = issuers.prefix(4).map { IssuerError.quoted($0.text) }.joined(separator: ", ")
            throw Missing(
                contradiction: .contradiction(
                    reason:
                        "\(target.hostForPeople) names as its issuers \(names), and not \(IssuerError.quoted(chosen?.text ?? ""))"
                ))
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
}

extension String {
    /// Compares byte for byte: Swift's `==` also equates texts that merely look alike.
    func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
