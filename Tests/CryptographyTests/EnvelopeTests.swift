@testable import Cryptography
import Testing

struct EnvelopeVector: Decodable, Sendable, CustomTestStringConvertible {
    struct Item: Decodable {
        var algorithm: String?
        var key: String
        var iv: String
        var data: String
    }
    var name: String
    var key: String
    var item: Item
    var plaintext: String?
    var error: String?

    var envelope: Envelope { Envelope(algorithm: item.algorithm, key: item.key, iv: item.iv, data: item.data) }
    var testDescription: String { name }
}

struct EnvelopeTests {
    @Test func opensTheOneOfTheProtocolPage() throws {
        let page: ProtocolPages = try fixture("protocol-pages")
        let key = try privateKey(page.key)
        let sealed = page.envelope
        let envelope = Envelope(algorithm: "AES-256-CBC", key: sealed.key, iv: sealed.iv, data: sealed.data)
        #expect(try envelope.open(with: key).text == sealed.plaintext)
        for (block, content) in [(sealed.key, sealed.aesKey), (sealed.iv, sealed.aesIV)] {
            let block = try #require(Base64.decode(block))
            let wanted = try bytes(hex: content)
            #expect(try key.decrypt(block).withBytes { Array($0) } == wanted)
        }
    }

    @Test(arguments: try fixture("envelopes", as: [EnvelopeVector].self))
    func opensOrSaysWhyNot(_ vector: EnvelopeVector) throws {
        let key = try privateKey(vector.key)
        if let name = vector.error {
            #expect(caseName(failure(EnvelopeError.self) { try vector.envelope.open(with: key) }) == name)
        } else {
            #expect(try vector.envelope.open(with: key).text == vector.plaintext)
        }
    }

    @Test(arguments: [0, 1, 15, 16, 245, 256, 4096, 4097, 256 * 1024])
    func sealsWhatItOpens(_ count: Int) throws {
        let payload = try LockedBytes.random(count)
        let envelope = try Envelope.seal(payload, for: publicKey())
        #expect(envelope.algorithm == nil)
        #expect((envelope.key + envelope.iv + envelope.data).allSatisfy { !$0.isWhitespace })
        #expect(try envelope.open(with: privateKey()).array == payload.array)
    }

    @Test(arguments: [
        (100, 100, true), (101, 100, false), (112, 100, false), (140, 100, false), (16, 16, true), (17, 16, false),
    ])
    func refusesWhatIsLongerThanTheLimit(_ count: Int, _ limit: Int, _ opens: Bool) throws {
        let envelope = try Envelope.seal(LockedBytes.random(count), for: publicKey())
        let key = try privateKey()
        if opens {
            #expect(try envelope.open(with: key, limit: limit).count == count)
        } else {
            #expect(throws: EnvelopeError.tooLarge(limit)) { try envelope.open(with: key, limit: limit) }
        }
    }

    private static func thatOpen() throws -> [EnvelopeVector] {
        try fixture("envelopes", as: [EnvelopeVector].self).filter { $0.error == nil && $0.key.contains("2048") }
    }

    /// Most mutations are refused before RSA is used, so a key without RSA is enough for the others.
    @Test func mutationsFailInOneOfTheKnownWays() throws {
        let vectors = try Self.thatOpen()
        let key = ConstantKey()
        var random = Mutator(seed: 0x5ca)
        var opened = 0
        for round in 0..<30_000 {
            let vector = vectors[round % vectors.count]
            var envelope = vector.envelope
            switch random.below(4) {
            case 0: envelope.key = random.mutate(envelope.key)
            case 1: envelope.iv = random.mutate(envelope.iv)
            case 2: envelope.data = random.mutate(envelope.data)
            default: envelope.algorithm = random.mutate(envelope.algorithm ?? "")
            }
            do {
                _ = try envelope.open(with: key)
                opened += 1
            } catch {
                #expect(caseName(error) != "failed")
            }
        }
        #expect(opened < 3000)
    }

    @Test func mutatedBlocksFailInOneOfTheKnownWays() throws {
        let vectors = try Self.thatOpen()
        let key = try privateKey()
        var random = Mutator(seed: 0x5cb)
        for round in 0..<1_000 {
            var envelope = vectors[round % vectors.count].envelope
            var block = try #require(Base64.decode(envelope.key))
            block[random.below(block.count)] ^= UInt8(1 + random.below(255))
            envelope.key = Base64.encode(block)
            let error = failure(EnvelopeError.self) { try envelope.open(with: key) }
            // About one block in a hundred thousand has valid padding by chance.
            #expect(error == .badKeyBlock || error == .keyLength)
        }
    }
}
