/// The person left the computer: how and when.
package struct Departure: Sendable, Equatable {
    package var event: SignOutEvent
    package var moment: Moment

    package init(_ event: SignOutEvent, at moment: Moment) {
        self.event = event
        self.moment = moment
    }
}

/// Keeps how the person left, until the sessions that end on leaving are signed out (oauth section 8.3). It needs no key,
/// since the key may be gone when the person leaves. Errors are `StoreError`s.
package protocol DepartureStore: Sendable {
    /// Keeps this departure in place of an earlier one of its kind. Nothing is kept where there is no session.
    func note(_ departure: Departure) throws
    func departures() throws -> [Departure]
    /// Forgets this departure, unless the person left again in the same way.
    func forget(_ departure: Departure) throws
}
