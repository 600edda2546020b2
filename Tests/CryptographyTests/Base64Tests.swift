import FoundationEssentials
import Cryptography
import Testing

struct Base64Tests {
    /// The vectors of RFC 4648 section 10, and the characters in which the alphabets differ.
    @Test(arguments: [
        ("", "", ""), ("f", "Zg==", "Zg"), ("fo", "Zm8=", "Zm8"), ("foo", "Zm9v", "Zm9v"),
        ("foob", "Zm9vYg==", "Zm9vYg"),
        ("fooba", "Zm9vYmE=", "Zm9vYmE"), ("foobar", "Zm9vYmFy", "Zm9vYmFy"), ("?>~~", "Pz5+fg==", "Pz5-fg"),
        ("???", "Pz8/", "Pz8_"),
    ])
    func encodesAndDecodes(_ text: String, _ standard: String, _ url: String) {
        let bytes = Array(text.utf8)
        #expect(Base64.encode(bytes) == standard)
        #expect(Base64.encodeURL(bytes) == url)
        #expect(Base64.decode(standard) == bytes)
        #expect(Base64.decodeLenient(standard) == bytes)
        #expect(Base64.decodeLenient(url) == bytes)
    }

    @Test(arguments: [
        "Z", "Zg", "Zg=", "Zg===", "=", "====", "Zg==Zg==", "Z=g=", "Zm9vYmFy=", "Zh==", "Zm9=", "Pz8_", "Pz5-fg==",
        "Zm9v*", "Zm9v\0", "Zm9vé", "Zm9v\u{a0}", "Ｚm9v",
    ])
    func refuses(_ text: String) { #expect(Base64.decode(text) == nil) }

    @Test(arguments: ["Z", "Zg=", "=", "Zg==Zg==", "Zm9vYmFy=", "Zh", "Zm9", "Zm9v*", "Zm9v\u{a0}"])
    func refusesEvenWhenLenient(_ text: String) { #expect(Base64.decodeLenient(text) == nil) }

    @Test(arguments: ["Zm9v\nYmFy\n", " Zm9v\r\nYm Fy", "\tZ m\u{b}9\u{c}vYmFy"])
    func skipsWhitespace(_ text: String) {
        #expect(Base64.decode(text) == Array("foobar".utf8))
        #expect(Base64.decodeLenient(text) == Array("foobar".utf8))
    }

    @Test func agreesWithFoundation() throws {
        for count in 0..<200 {
            let bytes = try RandomBytes.make(count)
            #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
            #expect(Base64.decode(Data(bytes).base64EncodedString()) == bytes)
        }
    }
}
