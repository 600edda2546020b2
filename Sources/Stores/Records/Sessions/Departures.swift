public import Ledger
public import Sessions

/// How the person left, in a table of the ledger.
public struct Departures: DepartureStore {
    private let database: StateDatabase
    private let table: ClearTable<Moment>

    public init(_ database: StateDatabase) {
        self.database = database
        table = ClearTable("departure", in: database)
    }

    public func note(_ departure: Departure) throws {
        guard try SealedSessions.counts(in: database).sessions > 0 else { return }
        try table.set(departure.moment, as: departure.event.rawValue)
    }

    public func departures() throws -> [Departure] {
        try table.values().compactMap { name, moment in SignOutEvent(rawValue: name).map { Departure($0, at: moment) } }
    }

    /// How many cannot be read.
    func damagedRows() throws -> Int { try table.damagedRows() }

    public func forget(_ departure: Departure) throws {
        try table.remove(departure.moment, as: departure.event.rawValue)
    }
}

extension SealedSessions {
    public func note(_ departure: Departure) throws { try Departures(database).note(departure) }
    public func departures() throws -> [Departure] { try Departures(database).departures() }
    public func forget(_ departure: Departure) throws { try Departures(database).forget(departure) }
}
