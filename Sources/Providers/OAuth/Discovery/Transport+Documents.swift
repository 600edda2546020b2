import Basics
import SessionModel
import Web

/// Why a document cannot be had, in our own words.
struct NoDocument: Error {
    var reason: String
    /// Whether the place cannot be asked now, so that nothing is known of the document.
    var isPassing = false
    /// The reason why the call did not reach the place, if a person can do something about it.
    var obstacle: CallError.Obstacle?
}

extension Transport {
    /// How many redirects are followed.
    private static let mostRedirects = 3

    /// Fetches a JSON document. Follows redirects within the same origin, and no others: an origin may say where its
    /// own documents lie.
    func document(_ place: WebAddress) async -> Result<(JSON, Answer), NoDocument> {
        var place = place
        for _ in 0...Self.mostRedirects {
            let answer: Answer
            do { answer = try await send(.document(place)) } catch {
                if case .tooLarge = error { return .failure(NoDocument(reason: error.reason)) }
                return .failure(NoDocument(reason: error.reason, isPassing: true, obstacle: error.obstacle))
            }
            guard let location = answer.redirect else { return Self.read(answer, from: place) }
            guard let next = place.resolving(location) else {
                return .failure(
                    NoDocument(reason: "it redirects to \(IssuerError.quoted(location)), which cannot be asked"))
            }
            guard next.origin == place.origin else {
                return .failure(
                    NoDocument(
                        reason:
                            "it redirects to another origin, \(IssuerError.quoted(next.text)), which is not followed"))
            }
            place = next
        }
        return .failure(NoDocument(reason: "it redirects more than \(Self.mostRedirects) times"))
    }

    private static func read(_ answer: Answer, from place: WebAddress) -> Result<(JSON, Answer), NoDocument> {
        guard answer.status < 500, answer.status != 429 else {
            return .failure(
                NoDocument(
                    reason: "\(place.hostForPeople) has a problem (HTTP \(answer.status))", isPassing: true))
        }
        guard answer.status == 200 else { return .failure(NoDocument(reason: "HTTP \(answer.status)")) }
        guard let object = answer.object else { return .failure(NoDocument(reason: "the answer is no JSON object")) }
        return .success((object, answer))
    }
}
