public import Basics
public import Sessions
import Web

extension OAuthService {
    public func describe(
        _ resource: WebAddress, at place: WebAddress?
    ) async throws(IssuerError) -> ResourceDescription {
        // What stands at an address above is often about a neighbour.
        var places: [(WebAddress, isAbove: Bool)] = []
        if let place {
            guard place.origin == resource.origin else {
                return ResourceDescription(nil, tried: [.init(place, reason: "it is at another host than the service")])
            }
            places = [(place, false)]
        } else {
            let answer = try await transport.ask(.document(resource))
            if answer.status == 401 {
                places += Challenges(answer.challenges).all.compactMap(\.metadata)
                    .filter { $0.origin == resource.origin }.map { ($0, false) }
            }
            for (index, place) in Self.usualPlaces(of: resource).enumerated()
            where !places.contains(where: { $0.0 == place }) {
                places.append((place, index > 0))
            }
        }
        var tried: [IssuerError.Tried] = []
        for (place, isAbove) in places {
            let answer = try await transport.ask(.document(place))
            guard answer.status < 500, answer.status != 429 else {
                throw .unreachable(reason: "\(place.hostForPeople) has a problem (HTTP \(answer.status))")
            }
            if let metadata = ResourceMetadata(answer, at: place) {
                let indicator = ResourceIndicator(metadata.resource.untrusted)
                guard isAbove, indicator?.covers(resource) != true else {
                    return ResourceDescription(metadata, tried: tried)
                }
                tried.append(.init(place, reason: "it is about another resource"))
            } else {
                let reason =
                    answer.redirect != nil
                    ? "it answered with a redirect"
                    : answer.status == 200 ? "the answer is no description of a resource" : "HTTP \(answer.status)"
                tried.append(.init(place, reason: reason))
            }
        }
        return ResourceDescription(nil, tried: tried)
    }

    /// For the address itself, and for those above it: at most eight.
    private static func usualPlaces(of resource: WebAddress) -> [WebAddress] {
        var places: [WebAddress] = []
        var path = Substring(resource.base.path)
        while places.count < 8 {
            if let place = try? WebAddress(resource.origin + "/.well-known/oauth-protected-resource" + path) {
                places.append(place)
            }
            guard let slash = path.lastIndex(of: "/") else { break }
            path = path[..<slash]
        }
        return places
    }
}

extension ResourceMetadata {
    /// Nil for anything but a JSON object that names a resource, with lists where lists belong.
    fileprivate init?(_ answer: Answer, at place: WebAddress) {
        guard answer.status == 200, let object = answer.object, let resource = object["resource"]?.text else {
            return nil
        }
        let lists = ["authorization_servers", "scopes_supported", "bearer_methods_supported"].map { object[$0] }
        guard lists.allSatisfy({ $0 == nil || $0?.texts != nil }) else { return nil }
        let texts = lists.map { $0?.texts?.map { BankText($0) } }
        self.init(place: place, resource: BankText(resource), issuers: texts[0], scopes: texts[1], methods: texts[2])
    }
}
