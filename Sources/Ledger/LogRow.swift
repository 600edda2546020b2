import FoundationEssentials
import GRDB
import SCA

/// One row of the table `event`.
struct LogRow {
    var sequence: Int64
    /// The number of the "sending" event that this one speaks of.
    var decision: Int64
    var attempt: [UInt8]?
    var waits: Bool
    var content: [UInt8]
    var mac: [UInt8] = []

    init(sequence: Int64, decision: Int64, attempt: [UInt8]?, waits: Bool, content: [UInt8]) {
        self.sequence = sequence
        self.decision = decision
        self.attempt = attempt
        self.waits = waits
        self.content = content
    }

    init(_ row: Row) {
        sequence = row["sequence"]
        decision = row["decision"]
        attempt = (row["attempt"] as Data?).map(Array.init)
        waits = row["waits"]
        content = Array(row["content"] as Data)
        mac = Array(row["mac"] as Data)
    }

    /// The MAC of this row after `previous`: HMAC-SHA-256 over the previous MAC, the numbers (8 bytes each), the attempt
    /// (32 bytes, zeros for none) and the sealed content, which alone has no fixed length.
    func mac(after previous: [UInt8], by sealer: any RowSealer) throws -> [UInt8] {
        let numbers = LogHead.bytes(sequence) + LogHead.bytes(decision) + LogHead.bytes(waits ? 1 : 0)
        let attempt = attempt ?? [UInt8](repeating: 0, count: 32)
        return try sealer.authenticate(previous + numbers + attempt + content, for: "log")
    }

    static func seal(_ event: LogEvent, sequence: Int64, by sealer: any RowSealer) throws -> [UInt8] {
        try sealer.seal(Array(try JSONEncoder().encode(event)), as: "event \(sequence)")
    }

    func event(by sealer: any RowSealer) throws -> LogEvent {
        do {
            return try JSONDecoder().decode(
                LogEvent.self, from: Data(try sealer.open(content, as: "event \(sequence)")))
        } catch {
            throw StoreError(.damaged, "event \(sequence) of the log cannot be read")
        }
    }

    func insert(_ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO event (sequence, decision, attempt, waits, content, mac) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [sequence, decision, attempt.map { Data($0) }, waits, Data(content), Data(mac)])
    }
}
