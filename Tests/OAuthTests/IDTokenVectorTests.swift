import Basics
import FoundationEssentials
@testable import OAuth
import SessionModel
import Testing

/// Each sentence about ID tokens, by tokens that another library made (Fixtures/idtoken).
struct IDTokenVectorTests {
    private struct File: Decodable {
        var now: Double
        var access_token: String
        var nonce: String
        var issuer: String
        var client: String
        var vectors: [Vector]
    }

    struct Vector: Decodable {
        struct Expected: Decodable {
            var algorithms: [String]?
            var maxAge: Int?
            var acr: [String]?
            var audiences: [String]?
            var subject: String?
            var nonceSent: Bool?
        }

        var sentence: String
        var name: String
        var token: String
        var fault: String?
        var expected: Expected?
    }

    private static func file() throws -> (File, [IssuerKey]) {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let data = try Data(contentsOf: root.appending(path: "Fixtures/idtoken/vectors.json"))
        let keys = try #require(JSON(Array(data))?["keys"].flatMap(IssuerKey.read))
        return (try JSONDecoder().decode(File.self, from: data), keys)
    }

    private func verdict(_ vector: Vector, _ file: File, _ keys: [IssuerKey]) throws -> String? {
        let issuer = try #require(Issuer(file.issuer))
        var metadata = IssuerMetadata(
            issuer: issuer, authorizationEndpoint: issuer.address, tokenEndpoint: issuer.address, fetchedAt: Date())
        metadata.idTokenAlgorithms = vector.expected?.algorithms
        let expected = IDTokenExpectation(
            issuer: metadata, client: BankText(file.client),
            nonce: vector.expected?.nonceSent == false ? nil : try file.nonce.locked(),
            time: Date(timeIntervalSince1970: file.now), maxAge: vector.expected?.maxAge,
            acrValues: vector.expected?.acr ?? [], audiences: vector.expected?.audiences,
            subject: vector.expected?.subject.map(BankText.init))
        do throws(IDTokenFault) {
            guard let text = try? vector.token.locked(), let access = try? file.access_token.locked() else {
                Issue.record("no locked memory")
                return nil
            }
            let token = try IDToken(text, expected)
            let identity = try token.identity(expected, accessToken: access, by: keys.filter { $0.fits(token) })
            #expect(identity.subject.untrusted.utf8.count > 0)
            return nil
        } catch {
            return name(of: error)
        }
    }

    /// Without the issuer's words.
    private func name(of fault: IDTokenFault) -> String { String("\(fault)".prefix { $0 != "(" }) }

    @Test func eachTokenHasItsFault() throws {
        let (file, keys) = try Self.file()

        for vector in file.vectors {
            #expect(try verdict(vector, file, keys) == vector.fault, "\(vector.sentence): \(vector.name)")
        }
    }

    /// Each fault has a vector, and each sentence one token that fits and one that does not.
    @Test func nothingIsLeftOut() throws {
        let vectors = try Self.file().0.vectors
        let issuer = try #require(Issuer("https://fern.example"))
        let faults: [IDTokenFault] = [
            .notAToken, .badAlgorithm(""), .unlistedAlgorithm(""), .critical, .unknownKey, .badSignature,
            .otherIssuer(nil, wanted: issuer),
            .otherAudience, .foreignAudience, .otherParty, .noSubject, .otherSubject, .expired, .noTime, .fromTheFuture,
            .tooOld, .otherNonce, .noAuthenticationTime, .staleAuthentication, .otherStrength, .otherAccessToken,
        ]
        #expect(Set(vectors.compactMap(\.fault)) == Set(faults.map(name(of:))))
        for sentence in Set(vectors.map(\.sentence)) {
            let some = vectors.filter { $0.sentence == sentence }
            #expect(some.contains { $0.fault == nil } && some.contains { $0.fault != nil }, "\(sentence)")
        }
    }
}
