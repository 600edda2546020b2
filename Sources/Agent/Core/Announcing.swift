public import Authenticator
public import Basics

/// Tells the person about what waits, outside of any front end: a desktop's notifications, or a line in the journal.
/// Calls return at once; what they ask for happens in their order.
public protocol Announcing: Sendable {
    /// Something waits, or has other content.
    ///
    /// - Parameter key: stays the same as long as it waits, whatever its connection is called.
    func announce(_ card: Card, as key: String)
    /// What was announced as this waits no more.
    func retract(_ key: String)
    /// All content leaves the screen; this many wait. Nil: not known, because nothing is asked.
    func hide(waiting: Int?)
    /// The PIN was entered.
    func unhide()
    /// What was denied under this reference reads confirmed at its bank.
    func alarm(_ reference: String, _ failure: Failure)
    /// A review ended for this request, or none could begin: says so for a short time. Content is left out after a lock.
    ///
    /// - Parameter card: nil where it is not known, or where there is none.
    func tell(_ outcome: ReviewOutcome, of card: Card?)
    /// One line for the journal, of nothing that a bank sent.
    func report(_ line: String)
}
