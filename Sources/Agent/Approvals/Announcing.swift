public import Authenticator
public import Basics

/// Tells the person about what waits, outside of any front end: a desktop's notifications, or a line in the journal.
/// Calls return at once; what they ask for happens in their order.
public protocol Announcing: Sendable {
    /// An authorization waits, or its content changed.
    ///
    /// - Parameter key: stays the same while the authorization waits, even when its connection is renamed.
    func announce(_ card: Card, as key: String)
    /// The authorization of this key no longer waits.
    func retract(_ key: String)
    /// Takes all content off the screen and tells how many wait; nil when that is not known, because no bank is asked.
    func hide(waiting: Int?)
    /// The PIN was entered.
    func unhide()
    /// What was denied under this reference reads confirmed at its bank.
    func alarm(_ reference: String, _ failure: Failure)
    /// A review ended for this request, or none could begin: says so for a short time. Content is left out after a lock.
    ///
    /// - Parameter card: nil where it is not known, or where there is none.
    func tell(_ outcome: ReviewOutcome, of card: Card?)
    /// Writes one line to the journal. It must hold nothing that a bank sent.
    func report(_ line: String)
}
