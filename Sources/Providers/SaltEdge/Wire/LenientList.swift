import ApprovalModel

/// A JSON array of items with ids, read one by one, so that a bad item does not prevent reading the others.
struct LenientList<Item: Decodable & Sendable>: Decodable {
    var items: [Item] = []
    var faults: [ItemFault] = []
    /// The ids of all items, including those that could not be read but have an id.
    var listed: Set<BankID> = []

    /// The most items in a list. No person has so many requests, and each may cost two private-key operations and a
    /// line on the terminal.
    static var most: Int { 10_000 }

    private struct Bare: Decodable {
        var id: BankID
    }

    init(from decoder: any Decoder) throws {
        var array = try decoder.unkeyedContainer()
        while !array.isAtEnd {
            guard items.count + faults.count < Self.most else {
                throw DecodingError.dataCorruptedError(in: array, debugDescription: "too many items")
            }
            // Unlike `decode`, this moves on to the next item even when this one cannot be read.
            let element = try array.superDecoder()
            let id = try? Bare(from: element).id
            if let id, !listed.insert(id).inserted {
                faults.append(ItemFault(id: id, reason: "the bank lists this id twice"))
                continue
            }
            do {
                items.append(try Item(from: element))
            } catch {
                faults.append(.unopened(id))
            }
        }
    }
}
