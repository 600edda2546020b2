import Basics
import Keys

/// How many events the chain has, and the MAC of the last one: 8 bytes, big-endian, and 32 bytes. Kept sealed in the
/// database, and again in a `LogHeadStore`.
struct ChainHead: Equatable {
    var count: Int64
    var mac: [UInt8]

    /// Before the first event.
    static let empty = ChainHead(count: 0, mac: [UInt8](repeating: 0, count: 32))

    /// More than any log has. A number beyond was put there by somebody, and none may be counted from it.
    static let mostEvents = Int64.max / 2

    /// The two copies are sealed under two names, so that neither can stand for the other.
    enum Place: String {
        case database = "log head"
        case second = "log head, second copy"
    }

    init(count: Int64, mac: [UInt8]) {
        self.count = count
        self.mac = mac
    }

    /// Throws when the bytes were changed or are another place's.
    init(_ sealed: [UInt8], in place: Place, sealer: any RowSealer) throws {
        let bytes = try sealer.open(sealed, as: place.rawValue)
        guard bytes.count == 40 else { throw StoreError.damaged("the log's head cannot be read") }
        count = bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
        mac = Array(bytes.dropFirst(8))
    }

    func sealed(for place: Place, by sealer: any RowSealer) throws -> [UInt8] {
        try sealer.seal(bigEndian(count) + mac, as: place.rawValue)
    }
}
