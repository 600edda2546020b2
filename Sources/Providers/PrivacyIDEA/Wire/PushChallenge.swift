import Basics
import FoundationEssentials
import ApprovalModel
import Cryptography

/// One waiting login as the server signed it (privacyidea-push section 7): checked and complete.
struct PushChallenge: Sendable, Equatable {
    /// The signed members, as read from the JSON.
    struct Signed: Codable, Sendable, Equatable {
        var nonce: String
        var url: String
        var serial: String
        var question: String
        var title: String
        var sslverify: String
        var requirePresence: String?

        enum CodingKeys: String, CodingKey {
            case nonce, url, serial, question, title, sslverify
            case requirePresence = "require_presence"
        }

        /// The text under the signature (privacyidea-push section 7.1).
        var text: String {
            ([nonce, url, serial, question, title, sslverify] + [requirePresence].compactMap { $0 })
                .joined(separator: "|")
        }

        /// The members as JSON in one fixed form, from which the fingerprint is made and which the log keeps. The
        /// signed text itself would be ambiguous, since a bar can occur in the question or the title.
        var source: String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }

        /// Parses `source`.
        init?(source: String) {
            guard let signed = try? JSONDecoder().decode(Signed.self, from: Data(source.utf8)) else { return nil }
            self = signed
        }

        init(
            nonce: String, url: String, serial: String, question: String, title: String, sslverify: String,
            requirePresence: String?
        ) {
            self.nonce = nonce
            self.url = url
            self.serial = serial
            self.question = question
            self.title = title
            self.sslverify = sslverify
            self.requirePresence = requirePresence
        }
    }

    /// Why an item is left out.
    enum Fault: Error, Hashable {
        /// A member is missing or is not a string.
        case notWhole
        case badNonce
        /// Too long to be shown whole.
        case tooLong
        /// It belongs to another token.
        case foreignSerial
        /// Its answer would go to an address that we do not call.
        case badAddress
        /// The signature is wrong, or covers members that we do not know.
        case unverified
        /// The signature of the server's capabilities is wrong.
        case badCapabilities
        /// An option is a denial or could be turned into one, or there are too many, or one is too long.
        case badOptions
        /// The server lists two items with the same nonce.
        case twice

        /// Our own words, safe to show.
        var reason: String {
            switch self {
            case .notWhole, .badNonce: "not what the protocol says"
            case .tooLong: "longer than 256 KiB"
            case .foreignSerial: "of another token"
            case .badAddress: "its answer would go to an address that is not called"
            case .unverified, .badCapabilities: "could not be verified (perhaps the server is newer)"
            case .badOptions: "its options cannot be told from a denial, or are too many"
            case .twice: "listed twice"
            }
        }
    }

    var signed: Signed
    /// Where the answer goes.
    var reply: WebAddress
    /// The options in the server's order; nil if there is nothing to choose.
    var options: [String]?
    /// Whether the server accepts a reason for a denial.
    var takesReasons: Bool

    /// The most bytes of the signed text.
    static let longest = 256 << 10
    static let mostOptions = 20
    static let longestOption = 64

    /// Checks an item of the list for the token `serial`, whose server has this key. `endpoint` is the address that the
    /// token polls.
    init(_ item: JSON, serial: String, endpoint: WebAddress, serverKey: RSAPublicKey) throws(Fault) {
        // A member that is null counts as present: the signature covers it.
        guard let members = item.members, let nonce = item["nonce"]?.text, let url = item["url"]?.text,
            let own = item["serial"]?.text,
            let question = item["question"]?.text, let title = item["title"]?.text,
            let sslverify = item["sslverify"]?.text, let signature = item["signature"]?.text,
            members["require_presence"].map({ $0.text != nil }) ?? true
        else { throw .notWhole }
        guard PushText.isPlain(nonce) else { throw .badNonce }
        // Compared byte for byte: Swift treats canonically equivalent strings as equal.
        guard own.utf8.elementsEqual(serial.utf8) else { throw .foreignSerial }
        signed = Signed(
            nonce: nonce, url: url, serial: own, question: question, title: title, sslverify: sslverify,
            requirePresence: item["require_presence"]?.text)
        guard signed.text.utf8.count <= Self.longest else { throw .tooLong }
        // If an item has this member, the signature covers it too, so we could not verify it.
        guard members["display_code"] == nil, let bytes = Base32.decode(signature),
            serverKey.verify(bytes, of: Array(signed.text.utf8))
        else { throw .unverified }
        guard let reply = try? WebAddress(url), reply.fragment == nil,
            reply.scheme == "https" || endpoint.isLoopback
        else { throw .badAddress }
        self.reply = reply
        takesReasons =
            try Self.capabilities(of: item, nonce: nonce, serverKey)?["decline_reason"].map {
                $0.kind != .bool(false)
            } ?? false
        options = try Self.options(in: signed.requirePresence)
    }

    /// The server's capabilities, if it sends them in a form that we can read (privacyidea-push section 7.2).
    private static func capabilities(
        of item: JSON, nonce: String, _ key: RSAPublicKey
    ) throws(Fault) -> JSON.Members? {
        guard let advertised = item["capabilities"], let signature = item["capabilities_signature"]?.text else {
            return nil
        }
        let read = advertised.text.map { JSON(Array($0.utf8)) } ?? advertised
        guard let read, let members = read.members, let canonical = read.canonical else { return nil }
        let text = "{\"capabilities\":\(canonical),\"nonce\":\(JSON.canonical(nonce))}"
        guard let bytes = Base32.decode(signature), key.verify(bytes, of: Array(text.utf8)) else {
            throw .badCapabilities
        }
        return members
    }

    /// Reads the options. Refuses `decline` and `decline|…`: the signed texts of that choice and of a denial would be
    /// equal, so that a man in the middle could turn one into the other (privacyidea-push section 8.2).
    private static func options(in list: String?) throws(Fault) -> [String]? {
        guard let list else { return nil }
        var options: [String] = []
        for option in list.utf8.split(separator: UInt8(ascii: ",")).map({ String(Substring($0)) }) {
            guard option != "decline", !option.utf8.starts(with: "decline|".utf8), option.count <= longestOption else {
                throw .badOptions
            }
            if !options.contains(where: { $0.utf8.elementsEqual(option.utf8) }) { options.append(option) }
        }
        guard options.count <= mostOptions else { throw .badOptions }
        return options
    }
}
