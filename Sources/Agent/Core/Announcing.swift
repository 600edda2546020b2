public import Display

/// Tells the person about what waits, outside of any front end: a desktop's notifications, or a line in the journal.
/// Calls return at once; what they ask for happens in their order.
public protocol Announcing: Sendable {
    /// Something waits, or has other content.
    func announce(_ card: Card)
    /// Nothing waits any more under this reference.
    func retract(_ reference: String)
    /// All content leaves the screen; this many wait. Nil: not known, because nothing is asked.
    func hide(waiting: Int?)
    /// The PIN was entered.
    func unhide()
    /// One line for the journal, of nothing that a bank sent.
    func report(_ line: String)
}
