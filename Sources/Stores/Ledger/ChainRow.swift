import Basics
import FoundationEssentials
import Keys

/// One row of the table `event`.
struct ChainRow {
    var sequence: Int64
    /// The number of the event that this event is about; its own number if it begins a subject. The column is
    /// `decision`.
    var subject: Int64
    /// A value that only one event may have. The column is `attempt`.
    var key: [UInt8]?
    var waits: Bool
    var content: [UInt8]
    var mac: [UInt8] = []

    /// The rows that meet a condition, in their order.
    static func selection(_ condition: String) -> String {
        "SELECT sequence, decision, attempt, waits, content, mac FROM event WHERE \(condition) ORDER BY sequence"
    }

    /// Nil for a row that no release writes.
    init?(_ row: StoredRow) {
        guard let sequence = row.integer("sequence"), let subject = row.integer("decision"),
            let waits = row.integer("waits"), let content = row.bytes("content"), let mac = row.bytes("mac")
        else { return nil }
        self.sequence = sequence
        self.subject = subject
        key = row.bytes("attempt").map(Array.init)
        self.waits = waits != 0
        self.content = Array(content)
        self.mac = Array(mac)
    }

    /// Seals `content` for this place in the chain. The MAC is set later.
    init(
        _ content: some Encodable, sequence: Int64, subject: Int64, key: [UInt8]?, waits: Bool, sealer: any RowSealer
    ) throws {
        self.sequence = sequence
        self.subject = subject
        self.key = key
        self.waits = waits
        self.content = try sealer.seal(Array(try JSONEncoder().encode(content)), as: Self.name(sequence, subject))
    }

    /// The MAC of this row after `previous`: HMAC-SHA-256 over the previous MAC, the numbers (8 bytes each), the key
    /// (32 bytes, zeros for none) and the sealed content, which alone has no fixed length.
    func mac(after previous: [UInt8], by sealer: any RowSealer) throws -> [UInt8] {
        let numbers = bigEndian(sequence) + bigEndian(subject) + bigEndian(waits ? 1 : 0)
        let key = key ?? [UInt8](repeating: 0, count: 32)
        return try sealer.authenticate(previous + numbers + key + content, for: "log")
    }

    func content<Content: Decodable>(_ type: Content.Type, by sealer: any RowSealer) throws -> Content {
        do {
            let plaintext = try sealer.open(content, as: Self.name(sequence, subject))
            return try JSONDecoder().decode(type, from: Data(plaintext))
        } catch {
            throw StoreError.damaged("event \(sequence) of the log cannot be read")
        }
    }

    private static func name(_ sequence: Int64, _ subject: Int64) -> String {
        "event \(sequence) of decision \(subject)"
    }

    func insert(_ db: Database) throws {
        try db.execute(
            "INSERT INTO event (sequence, decision, attempt, waits, content, mac) VALUES (?, ?, ?, ?, ?, ?)",
            [
                .integer(sequence), .integer(subject), key.map { .bytes($0) } ?? .null, .integer(waits ? 1 : 0),
                .bytes(content), .bytes(mac),
            ])
    }
}
