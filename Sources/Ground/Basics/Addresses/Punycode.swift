/// Host labels outside ASCII, as the domain name system spells them (RFC 3492, RFC 5891).
///
/// Written here because libraries (Foundation's `URL` among them) map a name to another one before they encode it,
/// without saying so; a name that would need this is refused here.
enum Punycode {
    /// The label with `xn--` in front. Browsers map a name before they encode it (UTS 46). Only names that this mapping
    /// would not change, once they are in lower case, are accepted, so that there is no doubt about the host.
    static func label(_ label: String) throws(AddressError) -> String {
        let scalars = Array(label.lowercased().unicodeScalars)
        guard scalars.count <= 63, scalars.allSatisfy(isPlain) else { throw .foreignHost }
        return "xn--" + encode(scalars)
    }

    /// Letters and digits that neither compose with others nor change under NFKC and case folding.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-" }
        guard !scalar.properties.changesWhenNFKCCaseFolded, !(0x1100...0x11FF).contains(scalar.value) else {
            return false
        }
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .decimalNumber: return true
        default: return false
        }
    }

    /// RFC 3492 section 6.3. At most 63 scalars, so no sum leaves 64 bits.
    private static func encode(_ input: [Unicode.Scalar]) -> String {
        var output = input.filter(\.isASCII).map { UInt8($0.value) }
        let basic = output.count
        var handled = basic
        if basic > 0 { output.append(UInt8(ascii: "-")) }
        var n = 128
        var delta = 0
        var bias = 72
        while handled < input.count {
            let next = input.map { Int($0.value) }.filter { $0 >= n }.min() ?? n
            delta += (next - n) * (handled + 1)
            n = next
            for scalar in input {
                if scalar.value < n { delta += 1 }
                guard scalar.value == n else { continue }
                var q = delta
                var k = 36
                while true {
                    let threshold = min(max(k - bias, 1), 26)
                    if q < threshold { break }
                    output.append(digit(threshold + (q - threshold) % (36 - threshold)))
                    q = (q - threshold) / (36 - threshold)
                    k += 36
                }
                output.append(digit(q))
                bias = adapt(delta, handled + 1, first: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            n += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func adapt(_ delta: Int, _ count: Int, first: Bool) -> Int {
        var delta = first ? delta / 700 : delta / 2
        delta += delta / count
        var k = 0
        while delta > 455 {
            delta /= 35
            k += 36
        }
        return k + 36 * delta / (delta + 38)
    }

    private static func digit(_ value: Int) -> UInt8 {
        value < 26 ? UInt8(ascii: "a") + UInt8(value) : UInt8(ascii: "0") + UInt8(value - 26)
    }
}
