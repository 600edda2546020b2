package import Approvals
package import ApprovalModel
package import Basics
package import Dialogue

/// An event for the tab of banks.
package enum BankEvent: Sendable {
    // From the agent.

    case connections(Result<ConnectionsPayload, Failure>)
    /// The access of third parties, at the bank of this connection.
    case consents(of: String, Result<ConsentsRound, Failure>)
    /// The end of an act on this connection, and the connection's name afterwards.
    case done(BankAct, on: String, Result<String, Failure>)
    case adding(AddingEvent)

    // From the person.

    /// Opens the bank of this connection.
    case open(String)
    case prove
    case rename
    case disconnect
    case reconnect
    /// Ends the third party's access with this reference.
    case revoke(String)
    /// Connects a new bank.
    case add
    /// Says yes to the question that is open, with the text of its entry.
    case confirm(String)
}

/// An act on one connection.
package enum BankAct: Sendable, Equatable {
    case prove
    case rename(ConnectionName)
    case disconnect(localOnly: Bool)
    case revoke(consent: String)
}

/// An event of an enrollment. `attempt` is the number of the one that it belongs to; earlier ones were left.
package enum AddingEvent: Sendable {
    // From the agent, the browser and the picture.

    case codes(attempt: Int, Result<[String], Failure>)
    case asked(attempt: Int, Question)
    /// The page in the browser. `isOpened`: whether a browser took it.
    case page(attempt: Int, address: String, isOpened: Bool)
    /// An address did not prove good, and the wait goes on.
    case notice(attempt: Int, Failure)
    case ended(attempt: Int, Result<ConnectionPayload, Failure>)

    // From the person.

    /// Goes to the page with the entry for a link.
    case paste
    case readScreen
    case openPicture
    /// The path of a picture that was chosen or dropped.
    case picture(String)
    case link(String)
    /// An address that the browser ended at.
    case address(String)
}

/// A task of the tab of banks.
package enum BankEffect: Sendable {
    case list
    case consents(of: String)
    case act(BankAct, on: String)
    /// Let the person choose a picture's file.
    case choosePicture
    case readScreen(attempt: Int)
    case readPicture(String, attempt: Int)
    case enroll(EnrollmentRequest, besides: [ConnectionPayload], attempt: Int)
    /// Answer the question of the enrollment.
    case answer(Answer)
    case paste(String)
    /// End the enrollment, if one is under way.
    case abandon
}
