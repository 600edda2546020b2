import GRDB

/// One bank of this process. The first one, `demobank`, stands at the root; others under `/banks/CODE`.
struct Bank: Codable, Sendable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "bank"
    static let defaultCode = "demobank"

    /// Whose habits the v1 service has: the Java server's or the Ruby server's (v1 sections 6.4 and 12).
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

    /// v1 section 3: mandatory, optional, or not supported.
    enum Geolocation: String, Codable, Sendable {
        case required = "true"
        case optional = "false"
        case unsupported = "null"
    }

    var id: Int64?
    var code: String
    var name: String
    var style: Style = .java
    var base64: Base64 = .alternate
    var geolocation: Geolocation = .unsupported

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

    /// Where the bank stands below the public URL: empty, or `/banks/CODE`.
    var prefix: String { code == Self.defaultCode ? "" : "/banks/\(code)" }

    func base64Style(itemID: Int64) -> Base64Text.Style {
        switch base64 {
        case .single: .single
        case .wrapped: .wrapped
        case .alternate: itemID % 2 == 0 ? .wrapped : .single
        }
    }
}
