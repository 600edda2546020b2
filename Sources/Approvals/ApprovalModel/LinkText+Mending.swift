import Basics

extension LinkText {
    /// The link in a text that was copied, without the additions of copying: white space and quotes around it,
    /// characters of no width, and HTML's entities in place of its `&`. Throws `broken` where more than one meaning is
    /// possible.
    static func mended(_ text: String) throws(LinkError) -> String {
        let visible = String(String.UnicodeScalarView(text.unicodeScalars.filter { !takesNoRoom($0) }))
        var link = Substring(visible).trimmingWhitespace()
        if let first = link.first, let last = link.last, link.count > 1, quotes[first] == last {
            link = link.dropFirst().dropLast().trimmingWhitespace()
        }
        return try withoutEntities(String(link))
    }

    private static let quotes: [Character: Character] = [
        "\"": "\"", "'": "'", "<": ">", "“": "”", "‘": "’", "«": "»", "`": "`",
    ]

    /// Soft hyphen, zero-width characters, direction marks and byte order mark. No address has them; mail and chat programs add them.
    private static func takesNoRoom(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2064, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    /// HTML source has an entity in place of each `&`. If a plain `&` stands beside entities, the meaning is unknown.
    private static func withoutEntities(_ text: String) throws(LinkError) -> String {
        var text = text
        while true {
            let parts = text.split(separator: "&", omittingEmptySubsequences: false)
            let entities = parts.dropFirst().map(Entity.init)
            guard entities.contains(where: { $0 != nil }) else { return text }
            guard entities.allSatisfy({ $0 != nil }) else {
                throw LinkError(.broken, "the link has &amp; or another of HTML's entities in it, beside a plain &")
            }
            let mended = entities.reduce(into: String(parts[0])) {
                $0 += $1.map { String($0.character) + $0.rest } ?? ""
            }
            // Only a `&` can begin an entity anew.
            guard mended.contains("&"), mended != text else { return mended }
            text = mended
        }
    }

    /// The rest behind a `&` that begins an entity of a printable ASCII character.
    private struct Entity {
        let character: Character
        let rest: Substring

        private static let names: [Substring: Character] = [
            "amp": "&", "AMP": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
        ]

        init?(_ text: Substring) {
            guard let end = text.prefix(10).firstIndex(of: ";") else { return nil }
            let name = text[..<end]
            rest = text[end...].dropFirst()
            if let known = Self.names[name] {
                character = known
                return
            }
            guard name.first == "#" else { return nil }
            let digits = name.dropFirst()
            let isHex = digits.first == "x" || digits.first == "X"
            guard let value = UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10),
                (0x21...0x7E).contains(value), let scalar = Unicode.Scalar(value)
            else { return nil }
            character = Character(scalar)
        }
    }
}
