import FoundationEssentials
import ApprovalModel
import Testing
@testable import SaltEdge

/// The recorded items of `Fixtures/crypto`, as one list of a bank of v1.
@Suite struct FixtureEnvelopeTests {
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        var name: String
        var key: String
        var item: [String: String]
        var plaintext: String?
        var error: String?
        var itemError: String?
        var testDescription: String { name }
    }

    static let vectors: [Vector] = {
        guard let json = try? Fixture.file("Fixtures/crypto/envelopes.json") else { return [] }
        return ((try? JSONDecoder().decode([Vector].self, from: Data(json.utf8))) ?? [])
            .filter { $0.key == "connection-2048.pem" }
    }()

    /// All have the id 77, so each is in a list of its own with one good item.
    @Test(arguments: vectors) func eachSpoilsOnlyItself(_ vector: Vector) async throws {
        let good = try Fixture.item(#""1""#, Fixture.payload("1"), key: try Fixture.key())
        let item = String(decoding: try JSONEncoder().encode(vector.item), as: UTF8.self)
        try await Fixture.asking({ _ in .text("{\"data\":[\(item),\(good)]}") }) { service, _ in
            let list = try await service.authorizations()
            let opens = vector.error == nil && vector.itemError == nil
            #expect(list.authorizations.map(\.id.text) == (opens ? ["1", "77"] : ["1"]))
            // The error does not say at which step it failed.
            #expect(list.faults == (opens ? [] : [.unopened(BankID("77"))]))
        }
    }

    @Test func thereAreVectors() {
        #expect(Self.vectors.count > 50)
    }
}
