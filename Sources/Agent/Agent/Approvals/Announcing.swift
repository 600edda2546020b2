package import Approvals
package import Basics

/// Announces waiting requests to the person, outside of any front end: by desktop notifications, or by a line in the
/// journal. Calls return at once; their effects follow in the order of the calls.
package protocol Announcing: Sendable {
    /// An authorization waits, or its content changed.
    ///
    /// - Parameter key: stays the same while the authorization waits, even when its connection is renamed.
    func announce(_ card: Card, as key: String)
    /// The authorization of this key no longer waits.
    func retract(_ key: String)
    /// Takes all content off the screen and shows how many requests wait.
    func hide(waiting: Int)
    /// Takes all content off the screen, because no bank is asked any more. `missesRequests`: a note says that requests
    /// do not appear now. May be called again while shut.
    func shut(missesRequests: Bool)
    /// The PIN was entered.
    func unhide()
    /// The bank reports that it confirmed the request that was denied here under this reference.
    func alarm(_ reference: String, _ failure: Failure)
    /// A review of this request ended, or could not begin: says so for a short time. After a lock the content is left
    /// out.
    ///
    /// - Parameter card: nil if the card is not known, or if there is none.
    func tell(_ outcome: ReviewOutcome, of card: Card?)
    /// Writes one line to the journal. It must hold nothing that a bank sent.
    func report(_ line: String)
}
