public import Basics
public import Sessions
import Web

extension OAuthService {
    public func describe(
        _ resource: WebAddress, at place: WebAddress?
    ) async throws(IssuerError) -> ResourceDescription {
        // A description at a parent path is often about a neighbour.
        var places: [(WebAddress, isAbove: Bool)] = []
        if let place {
            guard place.origin == resource.origin else {
                return ResourceDescription(nil, tried: [.init(place, reason: "it is at another host than the service")])
            }
            places = [(place, false)]
        } else {
            places += (await challenges(of: resource)?.all ?? []).compactMap(\.metadata)
                .filter { $0.origin == resource.origin }.prefix(4).map { ($0, false) }
            for (index, place) in Self.usualPlaces(of: resource).enumerated()
            where !places.contains(where: { $0.0 == place }) {
                places.append((place, index > 0))
            }
        }
        var tried: [IssuerError.Tried] = []
        for (place, isAbove) in places {
            switch try await look(at: place) {
            case .failure(let why): tried.append(.init(place, reason: why.reason))
            case .success(let metadata):
                let indicator = ResourceIndicator(metadata.resource.untrusted)
                guard isAbove, indicator?.covers(resource) != true else {
                    return ResourceDescription(metadata, tried: tried)
                }
                tried.append(.init(place, reason: "it is about another resource"))
            }
        }
        return ResourceDescription(nil, tried: tried)
    }

    public func challenges(of resource: WebAddress) async -> Challenges? {
        // Only a 401 counts here: any other answer, such as a large page or an error, says nothing.
        guard let answer = try? await transport.send(.document(resource)), answer.status == 401 else { return nil }
        let challenges = Challenges(answer.challenges)
        return challenges.all.isEmpty ? nil : challenges
    }

    /// Why a place has no description, in our own words.
    private struct Nothing: Error {
        var reason: String
    }

    private func look(at place: WebAddress) async throws(IssuerError) -> Result<ResourceMetadata, Nothing> {
        let answer: Answer
        do {
            answer = try await transport.send(.document(place))
        } catch .tooLarge(let reason, _, _) {
            return .failure(Nothing(reason: reason))
        } catch {
            throw IssuerError(error)
        }
        guard answer.status < 500, answer.status != 429 else {
            throw .unreachable(reason: "\(place.hostForPeople) has a problem (HTTP \(answer.status))")
        }
        guard answer.redirect == nil else { return .failure(Nothing(reason: "it answered with a redirect")) }
        guard answer.status == 200 else { return .failure(Nothing(reason: "HTTP \(answer.status)")) }
        guard let metadata = ResourceMetadata(answer, at: place) else {
            return .failure(Nothing(reason: "the answer is no description of a resource"))
        }
        return .success(metadata)
    }

    /// The usual places for the resource itself and for its parent paths: at most eight.
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
        guard let object = answer.object, let resource = object["resource"]?.text else {
            return nil
        }
        let lists = ["authorization_servers", "scopes_supported", "bearer_methods_supported"].map { object[$0] }
        guard lists.allSatisfy({ $0 == nil || $0?.texts != nil }) else { return nil }
        let texts = lists.map { $0?.texts?.map { BankText($0) } }
        self.init(place: place, resource: BankText(resource), issuers: texts[0], scopes: texts[1], methods: texts[2])
    }
}
