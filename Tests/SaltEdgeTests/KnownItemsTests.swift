import Basics
import FoundationEssentials
import ApprovalModel
import Cryptography
import Synchronization
import Testing
@testable import SaltEdge

/// A key that counts the blocks that it decrypts.
private final class CountingKey: PrivateKey {
    private let key: RSAPrivateKey
    private let count = Mutex(0)

    init() throws { key = try Fixture.key() }

    /// How many blocks it has decrypted since the last call: two for each item.
    func takeCount() -> Int {
        count.withLock { count in
            defer { count = 0 }
            return count
        }
    }

    var publicKeyPEM: String { key.publicKeyPEM }
    func sign(_ message: [UInt8]) throws -> [UInt8] { try key.sign(message) }
    func decrypt(_ block: [UInt8]) throws -> any Secret {
        count.withLock { $0 += 1 }
        return try key.decrypt(block)
    }
}

/// The list of a bank, which a test can change.
private final class Listing: Sendable {
    private let items = Mutex<[String]>([])
    var reply: ScriptedBank.Reply { .text("{\"data\":[\(items.withLock { $0 }.joined(separator: ","))]}") }
    func set(_ new: [String]) { items.withLock { $0 = new } }
}

@Suite struct KnownItemsTests {
    private static func item(_ wire: WireProtocol, _ id: String, _ plaintext: String) throws -> String {
        let item = try Fixture.item(#""\#(id)""#, plaintext, key: try Fixture.key(), algorithm: nil)
        return wire == .saltEdgeV1 ? item : #"{"status":"pending","# + item.drop { $0.isWhitespace }.dropFirst()
    }

    private static func payload(_ wire: WireProtocol, _ id: String, title: String = "Pay") -> String {
        let description = wire == .saltEdgeV1 ? #""To Fern Books""# : #"{"text":"To Fern Books"}"#
        return Fixture.payload(id, ["title": "\"\(title)\"", "description": description])
    }

    private static func asking(
        _ wire: WireProtocol, _ body: (any BankService, CountingKey, Listing) async throws -> Void
    ) async throws {
        let (key, listing) = (try CountingKey(), Listing())
        try await Fixture.overTransport { transport in
            try await ScriptedBank.serve({ _ in listing.reply }) { bank in
                let service = try Fixture.banks(transport).service(
                    for: try Fixture.connection(wire, bank.base), token: try Fixture.secret("t"), key: key)
                try await body(service, key, listing)
            }
        }
    }

    @Test(arguments: [WireProtocol.saltEdgeV1, .saltEdgeV2])
    func whatIsListedUnchangedIsOpenedOnce(_ wire: WireProtocol) async throws {
        try await Self.asking(wire) { service, key, listing in
            let known = OpenedItems<Authorization>()
            let first = try (1...20).map { try Self.item(wire, "\($0)", Self.payload(wire, "\($0)")) }
            let bad = try Self.item(wire, "99", "not JSON")
            listing.set(first + [bad])
            let list = try await service.authorizations(known)
            #expect(list.authorizations.count == 20 && list.faults.map(\.id?.text) == ["99"])
            #expect(key.takeCount() == 42)
            for _ in 1...3 {
                let again = try await service.authorizations(known)
                #expect(again.authorizations == list.authorizations && again.faults == list.faults)
                #expect(again.listed == list.listed)
                #expect(key.takeCount() == 0)
            }

            // One item has other content, one is new, one is gone. Each is known by its sealed form.
            let changed = try Self.item(wire, "1", Self.payload(wire, "1", title: "Pay more"))
            let new = try Self.item(wire, "21", Self.payload(wire, "21"))
            listing.set([changed, new] + first[2...] + [bad])
            let later = try await service.authorizations(known)
            #expect(key.takeCount() == 4)
            #expect(later.authorizations.count == 20)
            #expect(later.authorizations.first { $0.id.text == "1" }?.title == BankText("Pay more"))
            #expect(!later.authorizations.contains { $0.id.text == "2" })

            // Only what was listed last is known.
            listing.set(first)
            _ = try await service.authorizations(known)
            #expect(key.takeCount() == 4)

            known.close()
            #expect(try await service.authorizations(known).authorizations.count == 20)
            #expect(key.takeCount() == 40)
            _ = try await service.authorizations(known)
            #expect(key.takeCount() == 40)
        }
    }

    /// One item's sealed form under another id or at another connection is another item.
    @Test func theSealedFormBelongsToItsItem() async throws {
        try await Self.asking(.saltEdgeV1) { service, key, listing in
            let known = OpenedItems<Authorization>()
            let item = try Self.item(.saltEdgeV1, "1", Self.payload(.saltEdgeV1, "1"))
            listing.set([item])
            #expect(try await service.authorizations(known).authorizations.count == 1)
            _ = key.takeCount()
            listing.set([item.replacing(#""id":"1""#, with: #""id":"2""#)])
            let list = try await service.authorizations(known)
            #expect(list.authorizations.isEmpty && list.faults.map(\.id?.text) == ["2"])
            #expect(key.takeCount() == 2)
            listing.set([item.replacing(#""connection_id":12"#, with: #""connection_id":13"#)])
            #expect(try await service.authorizations(known).faults.count == 1)
        }
    }

    @Test(arguments: [WireProtocol.saltEdgeV1, .saltEdgeV2])
    func whatWaitsIsKnownWithoutItsContent(_ wire: WireProtocol) async throws {
        try await Self.asking(wire) { service, key, listing in
            let known = OpenedItems<WaitingItem>()
            listing.set(try (1...3).map { try Self.item(wire, "\($0)", Self.payload(wire, "\($0)")) })
            for count in [6, 0, 0] {
                let waiting = try await service.waiting(known).items
                #expect(Set(waiting.map(\.id.text)) == ["1", "2", "3"])
                #expect(waiting.allSatisfy { $0.expiresAt == Date(timeIntervalSince1970: 1_893_456_300) })
                #expect(key.takeCount() == count)
            }
        }
    }

    @Test func whatIsKnownHasABound() throws {
        let known = OpenedItems<Int>(most: 3)
        func digests(_ count: Int) -> [SealedDigest: Result<Int, ItemFault>] {
            Dictionary(uniqueKeysWithValues: (0..<count).map { (SealedDigest([UInt8($0)]), .success($0)) })
        }
        let (one, other) = (ConnectionGUID("1"), ConnectionGUID("2"))
        known.keep(digests(2), of: one)
        known.keep(digests(2), of: other)
        #expect(known.outcomes(of: one).count == 2 && known.outcomes(of: other).isEmpty)
        known.keep(digests(1), of: one)
        known.keep(digests(2), of: other)
        #expect(known.outcomes(of: one).count == 1 && known.outcomes(of: other).count == 2)
        known.close()
        #expect(known.outcomes(of: other).isEmpty)
    }
}
