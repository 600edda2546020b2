import Basics
import Cryptography
import Testing

/// The vectors of RFC 6287 and of Tiqr's suites.
struct OCRATests {
    private static let k20 = "12345678901234567890"
    private static let k32 = "12345678901234567890123456789012"
    private static let k64 = k20 + k20 + k20 + "1234"
    private static let pin1234 = Array(hex: "7110eda4d09e062aa5e4a390b0a572ac0d2c0220")
    /// SHA-256 of `tiqr test key 1`.
    private static let tiqr = Array(hex: "783960c64eb567cc1f695a7c132babba5043a6cc8652a22b165741eb50672cb6")

    private static func secret(_ bytes: [UInt8]) throws -> LockedBytes {
        try bytes.withUnsafeBytes { try LockedBytes(copying: $0) }
    }

    private static func key(_ text: String) throws -> LockedBytes { try secret(Array(text.utf8)) }

    // MARK: RFC 6287, appendix C

    @Test func theQuestionAlone() throws {
        let responses = "237653 243178 653583 740991 608993 388898 816933 224598 750600 294470".words
        let suite = try OCRASuite("OCRA-1:HOTP-SHA1-6:QN08")
        for (digit, response) in responses.enumerated() {
            let ocra = try OCRA(suite, question: String(repeating: "\(digit)", count: 8))
            #expect(try ocra.response(key: Self.key(Self.k20)) == response)
        }
    }

    @Test func aCounterAndAPIN() throws {
        let responses =
            "65347737 86775851 78192410 71565254 10104329 65983500 70069104 91771096 75011558 08522129".words
        let suite = try OCRASuite("OCRA-1:HOTP-SHA256-8:C-QN08-PSHA1")
        for (counter, response) in responses.enumerated() {
            let ocra = try OCRA(suite, question: "12345678", counter: UInt64(counter), pin: Self.pin1234)
            #expect(try ocra.response(key: Self.key(Self.k32)) == response)
        }
    }

    @Test func aPIN() throws {
        let suite = try OCRASuite("OCRA-1:HOTP-SHA256-8:QN08-PSHA1")
        for (digit, response) in "83238735 01501458 17957585 86776967 86807031".words.enumerated() {
            let ocra = try OCRA(suite, question: String(repeating: "\(digit)", count: 8), pin: Self.pin1234)
            #expect(try ocra.response(key: Self.key(Self.k32)) == response)
        }
    }

    @Test func aCounter() throws {
        let responses =
            "07016083 63947962 70123924 25341727 33203315 34205738 44343969 51946085 20403879 31409299".words
        let suite = try OCRASuite("OCRA-1:HOTP-SHA512-8:C-QN08")
        for (digit, response) in responses.enumerated() {
            let ocra = try OCRA(suite, question: String(repeating: "\(digit)", count: 8), counter: UInt64(digit))
            #expect(try ocra.response(key: Self.key(Self.k64)) == response)
        }
    }

    @Test func aTime() throws {
        let suite = try OCRASuite("OCRA-1:HOTP-SHA512-8:QN08-T1M")
        #expect(suite.timeStep == 60)
        for (digit, response) in "95209754 55907591 22048402 24218844 36209546".words.enumerated() {
            let ocra = try OCRA(suite, question: String(repeating: "\(digit)", count: 8), time: 0x132d0b6)
            #expect(try ocra.response(key: Self.key(Self.k64)) == response)
        }
    }

    // MARK: The suites of Tiqr

    /// Session A: 32 consecutive byte values from 32 * (d mod 8); B: 16 from 16 * d. The question is the digit d ten times.
    @Test(
        arguments: [
            (
                "OCRA-1:HOTP-SHA1-6:QH10-S", "A",
                "525367 401066 453922 067878 032766 200519 783447 952010 679025 063810 705436 022194 447988 982346 627589 570983"
            ),
            (
                "OCRA-1:HOTP-SHA1-6:QH10-S", "B",
                "539871 048093 967283 743385 940475 966039 640518 121159 282283 726279 086966 690560 191243 566704 088754 349241"
            ),
            (
                "OCRA-1:HOTP-SHA1-6:QH10-S064", "A",
                "174452 554036 468209 445556 407436 645826 485668 246775 242998 597774 165023 940705 780450 261967 638400 464175"
            ),
            (
                "OCRA-1:HOTP-SHA1-6:QH10-S064", "B",
                "699726 443731 197950 958600 937539 440635 159268 757353 575961 644239 992011 722254 843312 822323 688792 918325"
            ),
            (
                "OCRA-1:HOTP-SHA256-6:QH10-S", "B",
                "802001 985340 831661 740744 286007 960978 344092 263020 954737 172313 488958 860769 663337 275401 394224 543899"
            ),
            (
                "OCRA-1:HOTP-SHA256-8:QH10-S", "B",
                "29914410 31979486 03511473 89692800 64945602 69008389 16281924 15327526 99036685 94988498 87665210 70974140 53562592 32728600 74080627 05443568"
            ),
            (
                "OCRA-1:HOTP-SHA512-6:QH10-S", "B",
                "282387 438772 841885 393750 126560 794542 613856 833176 705262 119108 255262 682055 251632 632452 991451 116880"
            ),
        ])
    func sessionInformation(_ suite: String, _ kind: String, _ responses: String) throws {
        let suite = try OCRASuite(suite)
        for (digit, response) in responses.words.enumerated() {
            let (start, count) = kind == "A" ? (32 * (digit % 8), 32) : (16 * digit, 16)
            let session = (start..<start + count).map { String(UInt8($0), radix: 16).leftPadded(to: 2) }.joined()
            let question = String(repeating: String(digit, radix: 16), count: 10)
            let ocra = try OCRA(suite, question: question, session: session)
            #expect(try ocra.response(key: Self.key(Self.k32)) == response)
        }
    }

    @Test(
        arguments: [
            (4, "1160"), (5, "18118"), (6, "525367"), (7, "3234167"), (8, "75158174"), (9, "117807965"),
            (10, "1612833570"),
        ])
    func eachNumberOfDigits(_ digits: Int, _ response: String) throws {
        let suite = try OCRASuite("OCRA-1:HOTP-SHA1-\(digits):QH10-S")
        let session = (0..<32).map { String(UInt8($0), radix: 16).leftPadded(to: 2) }.joined()
        let ocra = try OCRA(suite, question: "0000000000", session: session)
        #expect(try ocra.response(key: Self.key(Self.k32)) == response)
    }

    private static let s16 = "000102030405060708090a0b0c0d0e0f"
    private static let s32 = s16 + "101112131415161718191a1b1c1d1e1f"
    private static let s1 = String(repeating: "00", count: 63) + "01"

    @Test(
        arguments: [
            ("OCRA-1:HOTP-SHA1-6:QH10-S", "0123456789", s16, "743000"),
            ("OCRA-1:HOTP-SHA1-6:QH10-S", "abcdef0123", s32, "608697"),
            ("OCRA-1:HOTP-SHA1-6:QH10-S", "ABCDEF0123", s32, "608697"),
            ("OCRA-1:HOTP-SHA1-6:QH10-S", "ffffffffff", s1, "563261"),
            ("OCRA-1:HOTP-SHA1-6:QH10-S", "0000000010", s16, "032552"),
            ("OCRA-1:HOTP-SHA1-6:QH10-S", "0123456789", "0a0b0c0d0e0f10111213", "031719"),
            ("OCRA-1:HOTP-SHA1-6:QH10-S", "0123456789", "00112233445566778899aabbccddeeff", "092551"),
            ("OCRA-1:HOTP-SHA1-6:QH10-S", "0123456789", "abc", "226396"),
            ("OCRA-1:HOTP-SHA1-6:QH09-S", "123456789", s16, "609417"),
            ("ocra-1:hotp-sha1-6:qh10-s", "0123456789", s16, "045440"),
            ("OCRA-1:HOTP-SHA1-6:QH10-S064", "0123456789", s16, "285340"),
            ("OCRA-1:HOTP-SHA1-6:QH10-S064", "abcdef0123", s32, "331523"),
            ("OCRA-1:HOTP-SHA1-6:QH10-S128", "0123456789", s16, "024059"),
            ("OCRA-1:HOTP-SHA256-8:QH10-S", "0123456789", s16, "83397454"),
            ("OCRA-1:HOTP-SHA256-8:QH10-S064", "abcdef0123", s32, "60861322"),
            ("OCRA-1:HOTP-SHA512-8:QH10-S064", "ffffffffff", s1, "66362525"),
            ("OCRA-1:HOTP-SHA1-6:QH10", "0123456789", "", "442219"),
            ("OCRA-1:HOTP-SHA256-8:QH40", "0123456789abcdef0123456789abcdef01234567", "", "16750531"),
        ])
    func otherQuestions(_ suite: String, _ question: String, _ session: String, _ response: String) throws {
        let ocra = try OCRA(try OCRASuite(suite), question: question, session: session)
        #expect(try ocra.response(key: Self.secret(Self.tiqr)) == response)
    }

    @Test(
        arguments: [
            ("1839816563", "002936", "980692"), ("0000000000", "262739", "262739"), ("9999999999", "419410", "129454"),
            ("0000000255", "074494", "623831"),
        ])
    func numbersAreReadInTwoWays(_ question: String, _ written: String, _ read: String) throws {
        let suite = try OCRASuite("OCRA-1:HOTP-SHA1-6:QN10")
        let key = try Self.secret(Self.tiqr)
        #expect(try OCRA(suite, question: question).response(key: key) == written)
        #expect(try OCRA(suite, question: question, digitsAreHexadecimal: true).response(key: key) == read)
    }

    @Test func theMessageOfTheWorkedExample() throws {
        let ocra = try OCRA(try OCRASuite("OCRA-1:HOTP-SHA1-6:QH10-S"), question: "0123456789", session: Self.s16)
        let expected =
            Array(hex: "4f4352412d313a484f54502d534841312d363a514831302d53000123456789")
            + Array(repeating: 0, count: 123 + 48) + Array(hex: Self.s16)
        #expect(ocra.message == expected && ocra.message.count == 218)
    }

    // MARK: What is refused

    @Test(
        arguments: [
            ("", OCRASuite.Fault.notOCRA), ("OCRA-2:HOTP-SHA1-6:QH10", .notOCRA), ("OCRA-1:HOTP-SHA1-6", .notOCRA),
            ("OCRA-1:HOTP-SHA1-6:QH10:QH10", .notOCRA), ("OCRA-1:HOTP-SHA1-6:QH10 ", .notOCRA),
            ("OCRA-1:HOTP-ſHA1-6:QH10", .notOCRA),
            ("OCRA-1:TOTP-SHA1-6:QH10", .badFunction), ("OCRA-1:HOTP-SHA1:QH10", .badFunction),
            ("OCRA-1:HOTP-SHA1-6-6:QH10", .badFunction),
            ("OCRA-1:HOTP-MD5-6:QH10", .unknownHash), ("OCRA-1:HOTP-SHA384-6:QH10", .unknownHash),
            ("OCRA-1:HOTP-SHA1-0:QH10", .untruncated),
            ("OCRA-1:HOTP-SHA1-3:QH10", .badDigits), ("OCRA-1:HOTP-SHA1-11:QH10", .badDigits),
            ("OCRA-1:HOTP-SHA1-06:QH10", .badDigits), ("OCRA-1:HOTP-SHA1-+6:QH10", .badDigits),
            ("OCRA-1:HOTP-SHA1-:QH10", .badDigits),
            ("OCRA-1:HOTP-SHA1-6:", .noQuestion), ("OCRA-1:HOTP-SHA1-6:C", .noQuestion),
            ("OCRA-1:HOTP-SHA1-6:S064", .noQuestion), ("OCRA-1:HOTP-SHA1-6:PSHA1-QH10", .noQuestion),
            ("OCRA-1:HOTP-SHA1-6:QX10", .unknownQuestionForm), ("OCRA-1:HOTP-SHA1-6:Q", .unknownQuestionForm),
            ("OCRA-1:HOTP-SHA1-6:QH", .badQuestionLength), ("OCRA-1:HOTP-SHA1-6:QH3", .badQuestionLength),
            ("OCRA-1:HOTP-SHA1-6:QH03", .badQuestionLength), ("OCRA-1:HOTP-SHA1-6:QH65", .badQuestionLength),
            ("OCRA-1:HOTP-SHA1-6:QH010", .badQuestionLength),
            ("OCRA-1:HOTP-SHA1-6:QH10-P", .badPIN), ("OCRA-1:HOTP-SHA1-6:QH10-PMD5", .badPIN),
            ("OCRA-1:HOTP-SHA1-6:QH10-S64", .badSession), ("OCRA-1:HOTP-SHA1-6:QH10-S000", .badSession),
            ("OCRA-1:HOTP-SHA1-6:QH10-S513", .badSession), ("OCRA-1:HOTP-SHA1-6:QH10-Sabc", .badSession),
            ("OCRA-1:HOTP-SHA1-6:QH10-T", .badTime), ("OCRA-1:HOTP-SHA1-6:QH10-T0S", .badTime),
            ("OCRA-1:HOTP-SHA1-6:QH10-T60M", .badTime), ("OCRA-1:HOTP-SHA1-6:QH10-T49H", .badTime),
            ("OCRA-1:HOTP-SHA1-6:QH10-T1D", .badTime),
            ("OCRA-1:HOTP-SHA1-6:QH10-", .unknownInput), ("OCRA-1:HOTP-SHA1-6:QH10-X", .unknownInput),
            ("OCRA-1:HOTP-SHA1-6:QH10-S064-PSHA1", .unknownInput), ("OCRA-1:HOTP-SHA1-6:QH10-S-S", .unknownInput),
        ])
    func whatIsNoSuite(_ text: String, _ fault: OCRASuite.Fault) {
        #expect(throws: fault) { try OCRASuite(text) }
    }

    @Test(arguments: ["", "01234567890", "012345678g", "0x12", "０１２３", "-1"])
    func questionsThatDoNotFit(_ question: String) throws {
        let suite = try OCRASuite("OCRA-1:HOTP-SHA1-6:QH10-S")
        #expect(throws: OCRA.Fault.badQuestion) { try OCRA(suite, question: question, session: "ab") }
        let numeric = try OCRASuite("OCRA-1:HOTP-SHA1-6:QN10")
        #expect(throws: OCRA.Fault.badQuestion) { try OCRA(numeric, question: "12345a") }
    }

    @Test(arguments: ["", "xy", "0x1", String(repeating: "0", count: 129)])
    func sessionsThatDoNotFit(_ session: String) throws {
        let suite = try OCRASuite("OCRA-1:HOTP-SHA1-6:QH10-S")
        #expect(throws: OCRA.Fault.badSession) { try OCRA(suite, question: "0123456789", session: session) }
    }

    @Test func inputsThatTheSuiteLacksOrWants() throws {
        let plain = try OCRASuite("OCRA-1:HOTP-SHA1-6:QN08")
        #expect(throws: OCRA.Fault.badInput) { try OCRA(plain, question: "1", counter: 1) }
        #expect(throws: OCRA.Fault.badInput) { try OCRA(plain, question: "1", pin: Self.pin1234) }
        #expect(throws: OCRA.Fault.badInput) { try OCRA(plain, question: "1", time: 1) }
        let whole = try OCRASuite("OCRA-1:HOTP-SHA1-6:C-QN08-PSHA256-T1S")
        #expect(throws: OCRA.Fault.badInput) { try OCRA(whole, question: "1", counter: 1, pin: Self.pin1234, time: 1) }
    }
}

extension String {
    fileprivate var words: [String] { split(separator: " ").map(String.init) }

    fileprivate func leftPadded(to count: Int) -> String { String(repeating: "0", count: count - utf8.count) + self }
}

extension [UInt8] {
    /// The bytes of hexadecimal digits.
    fileprivate init(hex: String) {
        self = stride(from: 0, to: hex.utf8.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
    }
}
