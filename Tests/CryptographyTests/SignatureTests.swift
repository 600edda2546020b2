import Cryptography
import Testing

struct RequestVector: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var key: String
    var method: String
    var url: String
    var expiresAt: Int
    var body: String
    var signature: String

    var testDescription: String { name }
}

struct JWSVector: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var key: String
    var body: String
    var signingInput: String
    var value: String

    var testDescription: String { name }
}

struct SignatureTests {
    @Test func requestsOfTheProtocolPage() throws {
        let page: ProtocolPages = try fixture("protocol-pages")
        let key = try privateKey(page.key)
        for request in page.requestSignatures {
            let signed = RequestSignature.bytesToSign(
                method: request.method, url: request.url, expiresAt: request.expiresAt, body: Array(request.body.utf8))
            #expect(String(decoding: signed, as: UTF8.self) == request.signed)
            #expect(Base64.encode(try key.sign(signed)) == request.signature)
        }
    }

    @Test(arguments: try fixture("request-signatures", as: [RequestVector].self))
    func requests(_ vector: RequestVector) throws {
        let signed = RequestSignature.bytesToSign(
            method: vector.method, url: vector.url, expiresAt: vector.expiresAt, body: Array(vector.body.utf8))
        #expect(Base64.encode(try privateKey(vector.key).sign(signed)) == vector.signature)
    }

    @Test func jwsOfTheProtocolPage() throws {
        let page: ProtocolPages = try fixture("protocol-pages")
        #expect(try DetachedJWS.sign(Array(page.jws.body.utf8), with: privateKey(page.key)).value == page.jws.value)
    }

    @Test(arguments: try fixture("jws", as: [JWSVector].self))
    func jws(_ vector: JWSVector) throws {
        let made = try DetachedJWS.sign(Array(vector.body.utf8), with: privateKey(vector.key))
        #expect(String(decoding: made.signingInput, as: UTF8.self) == vector.signingInput)
        #expect(made.value == vector.value)
    }
}
