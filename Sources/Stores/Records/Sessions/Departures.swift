package import Ledger
package import SessionModel

/// How the person left, in a table of the ledger.
package struct Departures: DepartureStore {
    private let database: StateDatabase
    private let table: ClearTable<Moment>

    package init(_ database: StateDatabase) {
        self.database = database
        table = ClearTable("departure", in: database)
    }

    package func note(_ departure: Departure) throws {
        guard try SealedSessions.counts(in: database).sessions > 0 else { return }
        try table.set(departure.moment, as: departure.event.rawValue)
    }

    package func departures() throws -> [Departure] {
        try table.values().compactMap { name, moment in SignOutEvent(rawValue: name).map { Departure($0, at: moment) } }
    }

    /// How many cannot be read.
    func damagedRows() throws -> Int { try table.damagedRows() }

    package func forget(_ departure: Departure) throws {
        try table.remove(departure.moment, as: departure.event.rawValue)
    }
}

extension SealedSessions {
    package func note(_ departure: Departure) throws { try Departures(database).note(departure) }
    package func departures() throws -> [Departure] { try Departures(database).departures() }
    package func forget(_ departure: Departure) throws { try Departures(database).forget(departure) }
}
