import Basics
import CYardstick
import FoundationEssentials
import ApprovalModel
import Cryptography
import Keys
import SaltEdge
import Web

/// What the keys of one connection do, beside bare OpenSSL with the same key.
func cryptoFigures() async throws {
    let key = try RSAPrivateKey.generate()
    let bare = try bareKey(key)
    let payload = try Sample.payload.withUnsafeBytes { try LockedBytes(copying: $0) }
    let envelope = try Envelope.seal(payload, for: RSAPublicKey(pem: key.publicKeyPEM))
    guard let first = Base64.decode(envelope.key), let second = Base64.decode(envelope.iv) else {
        throw Broken("an envelope without Base64")
    }

    let opening = try await Comparison.run(rounds: 100, in: .processor) {
        for _ in 0..<10 { _ = try envelope.open(with: key) }
    } yardstick: {
        try done(yardstick_decrypt(bare, first, second, first.count, 10))
    }
    Figure.rates("envelope open / two EVP_PKEY_decrypt", opening, per: 10, atLeast: 0.95).print()

    let transport = try Transport()
    let provider = SaltEdgeProvider(transport: transport)
    let secrets = EnrolledSecrets().with(SecretName("key", .rsa), key)
        .with(SecretName("token", .bytes), try LockedBytes.random(32))
    let digest = Digest.sha256([])

    let v1 = try Sample.connection("saltedge-v1")
    let v1Service = try provider.service(for: v1, secrets: secrets)
    let v1Item = try Sample.authorization(of: v1)
    let signing = try await Comparison.run(rounds: 100, in: .processor) {
        for _ in 0..<20 { _ = try v1Service.sign(Reply(.approve), on: v1Item, clockCorrection: 0) }
    } yardstick: {
        try done(yardstick_sign(bare, digest, 20))
    }
    Figure.rates("sign a v1 request / EVP_PKEY_sign", signing, per: 20, atLeast: 0.95).print()

    let v2 = try Sample.connection("saltedge-v2", providerKey: key.publicKeyPEM)
    let v2Service = try provider.service(for: v2, secrets: secrets)
    let v2Item = try Sample.authorization(of: v2)
    let signed = try v2Service.sign(Reply(.approve), on: v2Item, clockCorrection: 0)
    // What the envelope for the provider holds: the code, and three words around it.
    let inside = Array(
        #"{"authorization_code":"\#(Sample.code)","user_authorization_type":"passcode","geolocation":""}"#.utf8)
    let confirming = try await Comparison.run(rounds: 100, in: .processor) {
        for _ in 0..<20 { _ = try v2Service.sign(Reply(.approve), on: v2Item, clockCorrection: 0) }
    } yardstick: {
        try done(yardstick_confirm(bare, inside, inside.count, signed.signedBytes, signed.signedBytes.count, 20))
    }
    Figure.rates("sign a v2 confirm / bare OpenSSL", confirming, per: 20, atLeast: 0.9).print()
    await transport.shutdown()

    let list = [Envelope](repeating: envelope, count: 100)
    let spreading = try await Comparison.run(rounds: 15, in: .elapsed) {
        try await open(list, with: key, workers: nil)
    } yardstick: {
        try await open(list, with: key, workers: 1)
    }
    Figure.rates("100 envelopes on two cores / one core", spreading, per: 100, atLeast: 1.7).print()
}

/// One-time responses of Tiqr, the question and session read anew each time, beside the bare HMAC under each.
func responseFigures() async throws {
    let suite = try OCRASuite("OCRA-1:HOTP-SHA1-6:QH10-S")
    let secret = try LockedBytes.random(32)
    let (question, session) = ("0123456789", "00112233445566778899aabbccddeeff")
    let message = try OCRA(suite, question: question, session: session).message
    let bytes = secret.withBytes { Array($0) }
    let responding = try await Comparison.run(rounds: 100, in: .processor) {
        for _ in 0..<200 { _ = try OCRA(suite, question: question, session: session).response(key: secret) }
    } yardstick: {
        try done(yardstick_hmac(bytes, bytes.count, message, message.count, 200))
    }
    Figure.rates("OCRA responses / bare HMAC", responding, per: 200, atLeast: 0.3).print()
}

/// The same key for the yardsticks. Never freed: it serves until the process ends.
private func bareKey(_ key: RSAPrivateKey) throws -> UnsafeMutableRawPointer {
    guard let bare = try key.pkcs8().withBytes({ yardstick_key($0.baseAddress, $0.count) }) else {
        throw Broken("the yardstick takes no key")
    }
    return bare
}

/// Processor time of bare signatures, in seconds, after some that do not count.
func secondsOfSignatures(_ count: Int32, bits: Int) throws -> Double {
    let (bare, digest) = (try bareKey(try RSAPrivateKey.generate(bits: bits)), Digest.sha256([]))
    try done(yardstick_sign(bare, digest, 20))
    return try Comparison.seconds(.processor) { try done(yardstick_sign(bare, digest, count)) }
}

/// As a poll opens its list; `workers` nil: as many as a poll takes.
private func open(_ list: [Envelope], with key: RSAPrivateKey, workers: Int?) async throws {
    let (opened, _) = try await openAll(list, workers: workers) { envelope throws(ItemFault) in
        do throws(EnvelopeError) {
            return try envelope.open(with: key)
        } catch {
            throw ItemFault(id: nil, reason: error.reason)
        }
    }
    guard opened.count == list.count else { throw Broken("an envelope did not open") }
}

/// What makes a figure worthless.
struct Broken: Error {
    var reason: String
    init(_ reason: String) { self.reason = reason }
}

func done(_ result: Int32) throws {
    guard result == 1 else { throw Broken("a yardstick's operation failed") }
}
