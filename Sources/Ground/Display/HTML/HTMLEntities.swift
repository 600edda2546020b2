/// Character references (WHATWG HTML, section 13.2.5.72): numbers, and the names of HTML 4.01. Any other is left as
/// written.
///
/// Written here because `HTMLScanner` must know which bytes of the source became which character, and parsers in
/// libraries such as libxml2 do not report that.
enum HTMLEntities {
    /// Appends `source` with its references resolved.
    static func decode(_ source: ArraySlice<UInt8>, into out: (UInt8) -> Void) {
        var index = source.startIndex
        while index < source.endIndex {
            let byte = source[index]
            if byte == UInt8(ascii: "&"), let (scalar, end) = reference(in: source, at: index) {
                for byte in String(Character(scalar)).utf8 { out(byte) }
                index = end
            } else {
                out(byte)
                index += 1
            }
        }
    }

    static func decode(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var bytes: [UInt8] = []
        decode(Array(text.utf8)[...]) { bytes.append($0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let longest = 12

    /// The character that a whole reference stands for, and where the reference ends (behind its `;`).
    private static func reference(in source: ArraySlice<UInt8>, at start: Int) -> (Unicode.Scalar, Int)? {
        let limit = min(source.endIndex, start + longest)
        guard let end = source[(start + 1)..<limit].firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = source[(start + 1)..<end]
        guard let scalar = name.first == UInt8(ascii: "#") ? number(name.dropFirst()) : named[Array(name)] else {
            return nil
        }
        return (scalar, end + 1)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Unicode.Scalar? {
        let isHex = digits.first == UInt8(ascii: "x") || digits.first == UInt8(ascii: "X")
        let text = String(decoding: isHex ? digits.dropFirst() : digits, as: UTF8.self)
        guard text.utf8.first != UInt8(ascii: "+"), text.utf8.first != UInt8(ascii: "-"),
            let value = UInt32(text, radix: isHex ? 16 : 10)
        else { return nil }
        // Numbers from 128 to 159 mean the characters of Windows-1252, as browsers read them.
        if (0x80...0x9F).contains(value), windows1252[Int(value - 0x80)] != 0 {
            return Unicode.Scalar(windows1252[Int(value - 0x80)])
        }
        return value == 0 ? nil : Unicode.Scalar(value)
    }

    private static let windows1252: [UInt32] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]

    private static let named: [[UInt8]: Unicode.Scalar] = {
        var table: [[UInt8]: Unicode.Scalar] = [:]
        func add(_ names: String, from first: UInt32) {
            for (offset, name) in names.split(whereSeparator: \.isWhitespace).enumerated() where name != "-" {
                table[Array(name.utf8)] = Unicode.Scalar(first + UInt32(offset))
            }
        }
        // In the order of Unicode; `-` fills the place of a number without a name.
        add(
            """
            nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
            micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig \
            Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times \
            Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave \
            eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave \
            uacute ucirc uuml yacute thorn yuml
            """, from: 0xA0)
        add(
            """
            Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon \
            Phi Chi Psi Omega - - - - - - - alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi \
            omicron pi rho sigmaf sigma tau upsilon phi chi psi omega
            """, from: 0x391)
        let others: [(String, UInt32)] = [
            ("quot", 0x22), ("amp", 0x26), ("apos", 0x27), ("lt", 0x3C), ("gt", 0x3E), ("OElig", 0x152),
            ("oelig", 0x153),
            ("Scaron", 0x160), ("scaron", 0x161), ("Yuml", 0x178), ("fnof", 0x192), ("circ", 0x2C6), ("tilde", 0x2DC),
            ("thetasym", 0x3D1), ("upsih", 0x3D2), ("piv", 0x3D6), ("ensp", 0x2002), ("emsp", 0x2003),
            ("thinsp", 0x2009),
            ("zwnj", 0x200C), ("zwj", 0x200D), ("lrm", 0x200E), ("rlm", 0x200F), ("ndash", 0x2013), ("mdash", 0x2014),
            ("lsquo", 0x2018), ("rsquo", 0x2019), ("sbquo", 0x201A), ("ldquo", 0x201C), ("rdquo", 0x201D),
            ("bdquo", 0x201E), ("dagger", 0x2020), ("Dagger", 0x2021), ("bull", 0x2022), ("hellip", 0x2026),
            ("permil", 0x2030), ("prime", 0x2032), ("Prime", 0x2033), ("lsaquo", 0x2039), ("rsaquo", 0x203A),
            ("oline", 0x203E), ("frasl", 0x2044), ("euro", 0x20AC), ("image", 0x2111), ("weierp", 0x2118),
            ("real", 0x211C), ("trade", 0x2122), ("alefsym", 0x2135), ("larr", 0x2190), ("uarr", 0x2191),
            ("rarr", 0x2192), ("darr", 0x2193), ("harr", 0x2194), ("crarr", 0x21B5), ("lArr", 0x21D0), ("uArr", 0x21D1),
            ("rArr", 0x21D2), ("dArr", 0x21D3), ("hArr", 0x21D4), ("forall", 0x2200), ("part", 0x2202),
            ("exist", 0x2203),
            ("empty", 0x2205), ("nabla", 0x2207), ("isin", 0x2208), ("notin", 0x2209), ("ni", 0x220B), ("prod", 0x220F),
            ("sum", 0x2211), ("minus", 0x2212), ("lowast", 0x2217), ("radic", 0x221A), ("prop", 0x221D),
            ("infin", 0x221E),
            ("ang", 0x2220), ("and", 0x2227), ("or", 0x2228), ("cap", 0x2229), ("cup", 0x222A), ("int", 0x222B),
            ("there4", 0x2234), ("sim", 0x223C), ("cong", 0x2245), ("asymp", 0x2248), ("ne", 0x2260), ("equiv", 0x2261),
            ("le", 0x2264), ("ge", 0x2265), ("sub", 0x2282), ("sup", 0x2283), ("nsub", 0x2284), ("sube", 0x2286),
            ("supe", 0x2287), ("oplus", 0x2295), ("otimes", 0x2297), ("perp", 0x22A5), ("sdot", 0x22C5),
            ("lceil", 0x2308),
            ("rceil", 0x2309), ("lfloor", 0x230A), ("rfloor", 0x230B), ("lang", 0x27E8), ("rang", 0x27E9),
            ("loz", 0x25CA),
            ("spades", 0x2660), ("clubs", 0x2663), ("hearts", 0x2665), ("diams", 0x2666),
        ]
        for (name, value) in others { table[Array(name.utf8)] = Unicode.Scalar(value) }
        return table
    }()
}
