package import Basics
internal import COpenSSL

/// One OCRA computation (RFC 6287 section 5): all that goes into it but the key.
///
/// Written here because OpenSSL has HMAC but not OCRA.
package struct OCRA: Sendable, Equatable {
    package let suite: OCRASuite
    /// The bytes under the MAC: suite, a zero byte, counter, question, PIN, session information, time; as many of them as the
    /// suite has.
    package let message: [UInt8]

    /// The input that does not fit the suite.
    package enum Fault: Error, Sendable, Equatable {
        /// Empty, too long for the suite, or not of its form.
        case badQuestion
        /// Not hexadecimal, empty, or longer than the suite says.
        case badSession
        /// A counter, hashed PIN or time that the suite lacks, or has and was not given.
        case badInput
    }

    /// - Parameters:
    ///   - question: as the suite writes it.
    ///   - digitsAreHexadecimal: whether a numeric question is read as if its digits were hexadecimal, as Tiqr's version 2 does,
    ///     rather than written in hexadecimal digits (RFC 6287 section 5.1).
    ///   - session: hexadecimal digits; not looked at where the suite has no session information.
    ///   - pin: hashed.
    ///   - time: in steps since 1970.
    package init(
        _ suite: OCRASuite, question: String, digitsAreHexadecimal: Bool = false, session: String = "",
        counter: UInt64? = nil, pin: [UInt8]? = nil, time: UInt64? = nil
    ) throws(Fault) {
        self.suite = suite
        guard suite.hasCounter == (counter != nil), suite.pinHash?.size == pin?.count,
            (suite.timeStep != nil) == (time != nil)
        else { throw .badInput }
        var message = Array(suite.text.utf8) + [0]
        if let counter { message += Self.bytes(counter) }
        message += try Self.question(question, suite, digitsAreHexadecimal)
        message += pin ?? []
        if let length = suite.sessionLength { message += try Self.session(session, length) }
        if let time { message += Self.bytes(time) }
        self.message = message
    }

    /// As many decimal digits as the suite says, zeros on the left (RFC 4226 section 5.3). Throws `CryptoError`.
    package func response(key: any Secret) throws -> String {
        let mac = try mac(key)
        let offset = Int(mac[mac.count - 1] & 0x0F)
        // At least 20 bytes, and the offset is at most 15.
        let value = mac[offset..<offset + 4].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & 0x7FFF_FFFF
        let modulus = (0..<suite.digits).reduce(UInt64(1)) { power, _ in power * 10 }
        let digits = String(value % modulus)
        return String(repeating: "0", count: suite.digits - digits.utf8.count) + digits
    }

    /// HMAC with the suite's hash. SHA-1 is long broken where collisions count; in an HMAC none are known to help, and nearly all
    /// sites of Tiqr demand it. A suite with SHA256 would replace it.
    private func mac(_ key: any Secret) throws -> [UInt8] {
        let hash =
            switch suite.hash {
            case .sha1: EVP_sha1()
            case .sha256: EVP_sha256()
            case .sha512: EVP_sha512()
            }
        var mac = [UInt8](repeating: 0, count: suite.hash.size)
        var length: UInt32 = 0
        // Reads both within their lengths, writes as many bytes as the hash has.
        let done = key.withBytes {
            HMAC(hash, $0.bytes, Int32($0.count), message, message.count, &mac, &length)
        }
        guard done != nil, Int(length) == mac.count else { throw CryptoError.openSSL(.failed("HMAC failed")) }
        return mac
    }

    // MARK: Input

    /// 128 bytes, filled with zeros on the right.
    private static func question(
        _ text: String, _ suite: OCRASuite, _ digitsAreHexadecimal: Bool
    ) throws(Fault) -> [UInt8] {
        guard !text.isEmpty, text.utf8.count <= suite.questionLength else { throw .badQuestion }
        switch suite.questionForm {
        case .alphanumeric:
            guard text.utf8.allSatisfy({ isDigit($0) || isLetter($0) }) else { throw .badQuestion }
            return filled(Array(text.utf8))
        case .numeric:
            guard text.utf8.allSatisfy(isDigit) else { throw .badQuestion }
            return try filled(
                nibbles(digitsAreHexadecimal ? text : hexadecimal(decimal: text), else: .badQuestion), to: 256)
        case .hexadecimal: return try filled(nibbles(text, else: .badQuestion), to: 256)
        }
    }

    /// Filled with zeros on the left.
    private static func session(_ text: String, _ length: Int) throws(Fault) -> [UInt8] {
        guard !text.isEmpty, text.utf8.count <= 2 * length else { throw .badSession }
        let nibbles = try nibbles(text, else: .badSession)
        return joined(Array(repeating: 0, count: 2 * length - nibbles.count) + nibbles)
    }

    private static func filled(_ bytes: [UInt8]) -> [UInt8] { bytes + Array(repeating: 0, count: 128 - bytes.count) }

    private static func filled(_ nibbles: [UInt8], to count: Int) -> [UInt8] {
        joined(nibbles + Array(repeating: 0, count: count - nibbles.count))
    }

    private static func joined(_ nibbles: [UInt8]) -> [UInt8] {
        stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
    }

    private static func nibbles(_ text: String, else fault: Fault) throws(Fault) -> [UInt8] {
        var nibbles: [UInt8] = []
        for byte in text.utf8 {
            guard isDigit(byte) || isLetter(byte), let value = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw fault
            }
            nibbles.append(UInt8(value))
        }
        return nibbles
    }

    /// The number in hexadecimal digits, of any length: 64 decimal digits fit no integer type.
    private static func hexadecimal(decimal: String) -> String {
        var digits = decimal.utf8.map { Int($0 - UInt8(ascii: "0")) }[...]
        var result = ""
        repeat {
            var remainder = 0
            for index in digits.indices {
                let value = remainder * 10 + digits[index]
                digits[index] = value / 16
                remainder = value % 16
            }
            result = String(remainder, radix: 16) + result
            digits = digits.drop { $0 == 0 }
        } while !digits.isEmpty
        return result
    }

    private static func bytes(_ value: UInt64) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
