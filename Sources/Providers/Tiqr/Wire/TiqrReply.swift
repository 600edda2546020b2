import Basics
import ApprovalModel
import Web

/// A server's answer, in either of the two forms (tiqr sections 5.3 and 5.4).
struct TiqrReply: Equatable {
    enum Meaning: Equatable {
        case accepted
        /// `left`: how many more wrong responses are allowed; nil if the server does not say.
        case wrongResponse(left: Int?)
        /// The challenge is unknown, expired or already used.
        case unknownChallenge
        /// `minutes`: how long; nil for no end.
        case blocked(minutes: Int?)
        /// The account is unknown, or the challenge was for another one.
        case unknownUser
        case badRequest
        /// The word in which some sites refuse everything: a wrong response, and a pause after one.
        case unexplained
        /// An error that has a word of its own.
        case error
        /// Not an answer of the protocol.
        case foreign
    }

    var meaning: Meaning
    /// The server's message to the person.
    var message: BankText?

    /// Parses the body of an answer: JSON with a `responseCode`, under any headers, or else one word. Throws
    /// `malformedAnswer` if the JSON has a member twice.
    init(_ body: [UInt8]) throws(BankError) {
        let text = Self.trimmed(String(decoding: body, as: UTF8.self))
        let json = JSON(Array(text.utf8), keepingFaults: true)
        if let json, let members = json.members, members.names.contains("responseCode") {
            guard !members.isAmbiguous else {
                throw BankError(.malformedAnswer, "the site's answer has a member twice")
            }
            if let code = Self.integer(json["responseCode"]) {
                let message = json["message"]?.text.flatMap { $0.isEmpty ? nil : BankText($0) }
                self.init(meaning: Self.meaning(code, json), message: message)
                return
            }
        }
        let word = json?.text.map(Self.trimmed) ?? text
        self.init(meaning: Self.meaning(word), message: nil)
    }

    private init(meaning: Meaning, message: BankText?) {
        self.meaning = meaning
        self.message = message
    }

    private static func trimmed(_ text: String) -> String {
        var text = Substring(text)
        if text.unicodeScalars.first == "\u{FEFF}" { text = Substring(text.unicodeScalars.dropFirst()) }
        return String(text.trimmingWhitespace())
    }

    private static func meaning(_ code: Int, _ object: JSON) -> Meaning {
        switch code {
        case 1: .accepted
        case 201: .wrongResponse(left: integer(object["attemptsLeft"]).flatMap(attempts))
        case 203: .unknownChallenge
        case 204: .blocked(minutes: integer(object["duration"]).flatMap { (0...525_600).contains($0) ? $0 : nil })
        case 205: .unknownUser
        case 202: .badRequest
        default: .error
        }
    }

    private static func meaning(_ word: String) -> Meaning {
        switch word {
        case "OK": return .accepted
        case "INVALID_RESPONSE": return .wrongResponse(left: nil)
        case "INVALID_CHALLENGE": return .unknownChallenge
        case "ACCOUNT_BLOCKED": return .blocked(minutes: nil)
        case "INVALID_USERID", "INVALID_USER": return .unknownUser
        case "INVALID_REQUEST": return .badRequest
        case "ERROR": return .unexplained
        case "AUTHENTICATION_FAILED", "FAIL": return .error
        default:
            guard let left = Substring(word).dropping(prefix: "INVALID_RESPONSE:") else { return .foreign }
            return .wrongResponse(left: integer(left).flatMap(attempts))
        }
    }

    /// Drops numbers that no server can mean.
    private static func attempts(_ number: Int) -> Int? { (0...1000).contains(number) ? number : nil }

    private static func integer(_ text: some StringProtocol) -> Int? {
        guard (1...9).contains(text.utf8.count),
            text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        return Int(text)
    }

    /// A whole number, or its digits in a text; `1.0` is none.
    private static func integer(_ value: JSON?) -> Int? {
        switch value?.kind {
        case .text(let text): integer(text)
        case .number(let literal):
            literal.hasPrefix("-") ? integer(literal.dropFirst()).map { -$0 } : integer(literal)
        default: nil
        }
    }
}
