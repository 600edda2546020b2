import Basics
import FoundationEssentials
import GRDB

/// One row of the table `event`.
struct LogRow {
    var sequence: Int64
    /// The number of the "sending" event that this one speaks of.
    var decision: Int64
    var attempt: [UInt8]?
    var waits: Bool
    var content: [UInt8]
    var mac: [UInt8] = []

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

    init(
        _ event: LogEvent, sequence: Int64, decision: Int64, attempt: [UInt8]? = nil, waits: Bool,
        sealer: any RowSealer
    ) throws {
        self.sequence = sequence
        self.decision = decision
        self.attempt = attempt
        self.waits = waits
        content = try sealer.seal(Array(try JSONEncoder().encode(event)), as: Self.name(sequence, decision))
    }

    func event(by sealer: any RowSealer) throws -> LogEvent {
        do {
            let plaintext = try sealer.open(content, as: Self.name(sequence, decision))
            return try JSONDecoder().decode(LogEvent.self, from: Data(plaintext))
        } catch {
            throw StoreError(.damaged, "event \(sequence) of the log cannot be read")
        }
    }

    private static func name(_ sequence: Int64, _ decision: Int64) -> String {
        "event \(sequence) of decision \(decision)"
    }

    func insert(_ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO event (sequence, decision, attempt, waits, content, mac) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [sequence, decision, attempt.map { Data($0) }, waits, Data(content), Data(mac)])
    }
}
