package import Basics
package import SessionModel
import Web

extension OAuthService {
    package func describe(
        _ resource: WebAddress, at place: WebAddress?
    ) async throws(IssuerError) -> ResourceDescription {
        let places: [DescriptionPlace]
        if let place {
            guard place.origin == resource.origin else {
                return ResourceDescription(nil, tried: [.init(place, reason: "it is at another host than the service")])
            }
            places = [DescriptionPlace(address: place, isAbove: false)]
        } else {
            places = await self.places(describing: resource).all
        }
        var tried: [IssuerError.Tried] = []
        for place in places {
            switch await transport.document(place.address) {
            case .failure(let why) where why.isPassing: throw .unreachable(reason: why.reason, obstacle: why.obstacle)
            case .failure(let why): tried.append(.init(place.address, reason: why.reason))
            case .success((let document, _)):
                guard let metadata = ResourceMetadata(document, at: place.address) else {
                    tried.append(.init(place.address, reason: "the answer is no description of a resource"))
                    continue
                }
                let indicator = ResourceIndicator(metadata.resource.untrusted)
                guard place.isAbove, indicator?.covers(resource) != true else {
                    return ResourceDescription(metadata, tried: tried)
                }
                // A description at a parent path is often about a neighbour.
                tried.append(.init(place.address, reason: "it is about another resource"))
            }
        }
        return ResourceDescription(nil, tried: tried)
    }

    package func challenges(of resource: WebAddress) async -> Challenges? {
        // Only a 401 counts here. Any other answer, like a large page or an error, means nothing.
        guard let answer = try? await transport.send(.document(resource)), answer.status == 401 else { return nil }
        let challenges = Challenges(answer.challenges)
        return challenges.all.isEmpty ? nil : challenges
    }

    /// Where a resource may describe itself.
    struct DescriptionPlace {
        var address: WebAddress
        /// Whether it is the place of a parent path.
        var isAbove: Bool
    }

    /// The places to ask: where the resource's own challenge says, then the usual ones. `page`: the page for people that the challenge
    /// names, if it names nothing else.
    func places(describing resource: WebAddress) async -> (all: [DescriptionPlace], page: PageAddress?) {
        var places: [DescriptionPlace] = []
        var page: PageAddress?
        if let challenges = await challenges(of: resource)?.all {
            places += challenges.compactMap(\.metadata).filter { $0.origin == resource.origin }.prefix(4).map {
                DescriptionPlace(address: $0, isAbove: false)
            }
            if places.isEmpty { page = challenges.compactMap(\.page).first }
        }
        for (index, place) in Self.usualPlaces(of: resource).enumerated()
        where !places.contains(where: { $0.address == place }) {
            places.append(DescriptionPlace(address: place, isAbove: index > 0))
        }
        return (places, page)
    }

    /// The usual places for the resource itself and for its parent paths up to the root: at most eight.
    private static func usualPlaces(of resource: WebAddress) -> [WebAddress] {
        let usual = resource.origin + "/.well-known/oauth-protected-resource"
        var paths: [Substring] = []
        var path = Substring(resource.base.path)
        while let slash = path.lastIndex(of: "/") {
            paths.append(path)
            path = path[..<slash]
        }
        return (paths.prefix(7) + [""]).compactMap { try? WebAddress(usual + $0) }
    }
}

extension ResourceMetadata {
    /// Nil for anything but a description that names a resource, with lists where lists belong.
    fileprivate init?(_ object: JSON, at place: WebAddress) {
        guard let resource = object["resource"]?.text else { return nil }
        let lists = ["authorization_servers", "scopes_supported", "bearer_methods_supported"].map { object[$0] }
        guard lists.allSatisfy({ $0 == nil || $0?.texts != nil }) else { return nil }
        let texts = lists.map { $0?.texts?.map { BankText($0) } }
        self.init(place: place, resource: BankText(resource), issuers: texts[0], scopes: texts[1], methods: texts[2])
    }
}
