/// Which OCRA computation two sides agreed on (RFC 6287 section 6): `OCRA-1:HOTP-SHA1-6:QH10-S`.
///
/// Tiqr writes a bare `-S` besides, which means 64 bytes of session information. Names are compared without regard to case, but
/// the text goes into the computation as it was received, so `-S` and `-S064` give different responses.
package struct OCRASuite: Sendable, Equatable {
    package enum Hash: String, Sendable, CaseIterable {
        case sha1 = "SHA1"
        case sha256 = "SHA256"
        case sha512 = "SHA512"

        /// Bytes.
        var size: Int {
            switch self {
            case .sha1: 20
            case .sha256: 32
            case .sha512: 64
            }
        }
    }

    /// How a question is written.
    package enum QuestionForm: Character, Sendable, CaseIterable {
        case hexadecimal = "H"
        case numeric = "N"
        case alphanumeric = "A"
    }

    /// As received.
    package let text: String
    package let hash: Hash
    /// How many digits a response has: 4 to 10.
    package let digits: Int
    package let questionForm: QuestionForm
    /// How long a question may be, in characters: 4 to 64.
    package let questionLength: Int
    package let hasCounter: Bool
    /// How the PIN was hashed that goes in; nil where none does.
    package let pinHash: Hash?
    /// How many bytes of session information go in; nil where none do.
    package let sessionLength: Int?
    /// How many seconds a time step has; nil where no time goes in.
    package let timeStep: Int?

    /// Why a text is no suite.
    package enum Fault: Error, Sendable, Equatable, CaseIterable {
        /// Not three parts, of which the first is `OCRA-1`.
        case notOCRA
        /// The second part is not `HOTP-hash-digits`.
        case badFunction
        /// Neither SHA1, SHA256 nor SHA512.
        case unknownHash
        /// 0: the whole MAC would be the response.
        case untruncated
        /// Neither 0 nor 4 to 10.
        case badDigits
        /// No question where it must stand.
        case noQuestion
        /// Neither H, N nor A.
        case unknownQuestionForm
        /// Not two digits, or not 04 to 64.
        case badQuestionLength
        case badPIN
        /// Not three digits, or not 001 to 512.
        case badSession
        case badTime
        /// Something stands behind the last part that is known, or parts stand in another order.
        case unknownInput
    }

    /// Throws `Fault`.
    package init(_ text: String) throws(Fault) {
        self.text = text
        let parts = text.uppercased().split(separator: ":", omittingEmptySubsequences: false)
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), parts.count == 3, parts[0] == "OCRA-1" else {
            throw .notOCRA
        }
        (hash, digits) = try Self.function(parts[1])

        var inputs = parts[2].split(separator: "-", omittingEmptySubsequences: false)[...]
        /// The next input where it begins with this letter.
        func take(_ letter: Character) -> Substring? {
            guard let first = inputs.first, first.first == letter else { return nil }
            inputs.removeFirst()
            return first.dropFirst()
        }
        hasCounter = inputs.first == "C"
        if hasCounter { inputs.removeFirst() }
        guard let question = take("Q") else { throw .noQuestion }
        guard let form = question.first.flatMap(QuestionForm.init) else { throw .unknownQuestionForm }
        questionForm = form
        let length = question.dropFirst()
        guard length.utf8.count == 2, let count = Self.number(length), (4...64).contains(count) else {
            throw .badQuestionLength
        }
        questionLength = count
        pinHash = try take("P").map { name throws(Fault) in
            guard let hash = Hash(rawValue: String(name)) else { throw .badPIN }
            return hash
        }
        sessionLength = try take("S").map { length throws(Fault) in
            if length.isEmpty { return 64 }
            guard length.utf8.count == 3, let count = Self.number(length), (1...512).contains(count) else {
                throw .badSession
            }
            return count
        }
        timeStep = try take("T").map(Self.seconds)
        guard inputs.isEmpty else { throw .unknownInput }
    }

    /// `HOTP-SHA1-6`
    private static func function(_ text: Substring) throws(Fault) -> (Hash, Int) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "HOTP" else { throw .badFunction }
        guard let hash = Hash(rawValue: String(parts[1])) else { throw .unknownHash }
        guard parts[2] != "0" else { throw .untruncated }
        guard parts[2].first != "0", let digits = number(parts[2]), (4...10).contains(digits) else { throw .badDigits }
        return (hash, digits)
    }

    /// `1M`, in seconds (RFC 6287 section 6.3).
    private static func seconds(_ text: Substring) throws(Fault) -> Int {
        guard let count = number(text.dropLast()), let unit = text.last else { throw .badTime }
        switch unit {
        case "S" where (1...59).contains(count): return count
        case "M" where (1...59).contains(count): return count * 60
        case "H" where (1...48).contains(count): return count * 3600
        default: throw .badTime
        }
    }

    /// At most three digits.
    private static func number(_ text: Substring) -> Int? {
        guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        return Int(text)
    }
}
