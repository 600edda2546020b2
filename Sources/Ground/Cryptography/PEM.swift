/// The textual encoding of keys (RFC 7468).
///
/// Written here, where OpenSSL has a reader too, because some banks escape line breaks twice, and because OpenSSL would
/// accept other text around the block.
struct PEM {
    var label: String
    var der: [UInt8]

    /// Reads one block. Line breaks may be LF, CRLF, or the characters `\n`, `\r\n`, which double escaping leaves
    /// (saltedge-v2 section 3.1). White space around the block is allowed, other text is not. Nil when the text is not
    /// PEM.
    init?(_ text: String) {
        var bytes: [UInt8] = []
        var characters = text.utf8.makeIterator()
        while let character = characters.next() {
            guard character == UInt8(ascii: "\\") else {
                bytes.append(character)
                continue
            }
            guard let escaped = characters.next(), escaped == UInt8(ascii: "n") || escaped == UInt8(ascii: "r") else {
                return nil
            }
            bytes.append(UInt8(ascii: "\n"))
        }
        let dashes = String(decoding: bytes, as: UTF8.self).split(separator: "-----", omittingEmptySubsequences: false)
        // Before, BEGIN, body, END, after.
        guard dashes.count == 5, dashes[0].allSatisfy(\.isWhitespace), dashes[4].allSatisfy(\.isWhitespace),
            dashes[1].hasPrefix("BEGIN "), dashes[3].hasPrefix("END "),
            dashes[1].dropFirst(6) == dashes[3].dropFirst(4),
            let der = Base64.decode(String(dashes[2])), !der.isEmpty
        else { return nil }
        label = String(dashes[1].dropFirst(6))
        self.der = der
    }

    /// Writes one block: lines of 64 characters, LF, final LF.
    static func text(label: String, der: [UInt8]) -> String {
        let body = Array(Base64.encode(der).utf8)
        var text = "-----BEGIN \(label)-----\n"
        for start in stride(from: 0, to: body.count, by: 64) {
            text += String(decoding: body[start..<min(start + 64, body.count)], as: UTF8.self) + "\n"
        }
        return text + "-----END \(label)-----\n"
    }
}
