import GRDB

/// One bank of this process. The first one, `demobank`, stands at the root; others under `/banks/CODE`.
struct Bank: Codable, Sendable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "bank"
    static let defaultCode = "demobank"

    /// Which real v1 server the bank behaves like (saltedge-v1 sections 6.4 and 12).
    enum Style: String, Codable, Sendable {
        case java = "J"
        case ruby = "R"
    }

    /// How Base64 is sent; alternating by item id shows both forms in one list.
    enum Base64: String, Codable, Sendable {
        case single
        case wrapped
        case alternate
    }

    /// saltedge-v1 section 3: mandatory, optional, or not supported.
    enum Geolocation: String, Codable, Sendable {
        case required = "true"
        case optional = "false"
        case unsupported = "null"
    }

    /// How the bank answers a v2 confirmation with a wrong code. How real banks do is not known (saltedge-v2 section 13).
    enum WrongCode: String, Codable, Sendable {
        case error
        case denied
        case pending
        /// The call itself fails.
        case refused
    }

    /// Also the provider id of v2.
    var id: Int64?
    var code: String
    var name: String
    var style: Style = .java
    var base64: Base64 = .alternate
    var geolocation: Geolocation = .unsupported
    /// The provider's private key of v2, PEM.
    var providerKey: String
    /// Whether v2 messages are sealed under the one constant AES key of the Ruby provider.
    var usesConstantKey = false
    /// How often a decided v2 item is listed as processing before it is final.
    var processingPolls = 2
    /// How long final v2 items are listed, in seconds.
    var finishedSeconds = 10.0
    var wrongCode: WrongCode = .error

    /// A bank with a new provider key.
    init(code: String, name: String) throws {
        self.code = code
        self.name = name
        providerKey = try RSAKeyText.makePrivateKey()
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

    /// The bank's path below the public URL: empty, or `/banks/CODE`.
    var prefix: String { code == Self.defaultCode ? "" : "/banks/\(code)" }

    func base64Style(itemID: Int64) -> Base64Text.Style {
        switch base64 {
        case .single: .single
        case .wrapped: .wrapped
        case .alternate: itemID % 2 == 0 ? .wrapped : .single
        }
    }
}
