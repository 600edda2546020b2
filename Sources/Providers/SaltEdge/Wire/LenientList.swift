import SCA

/// A JSON array of things that have ids, read item by item: one bad item never spoils the rest.
struct LenientList<Item: Decodable & Sendable>: Decodable {
    var items: [Item] = []
    var faults: [ItemFault] = []
    /// The ids of all items, also of those that could not be read, as far as they have one.
    var listed: Set<BankID> = []

    /// More than any person has waiting; each may cost two private-key operations and a line on the terminal.
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
            // Unlike `decode`, this goes on to the next item whatever this one is.
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
