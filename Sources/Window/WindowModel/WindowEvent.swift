package import Approvals
package import ApprovalModel
package import Basics
package import Dialogue

/// An event for the window's model: from the agent, the clock, or the person.
package enum WindowEvent: Sendable {
    // From the agent.

    /// It was found or started. `isOpen`: whether content may be shown. `waiting`: how many requests
    /// wait, if that is known.
    case connected(isOpen: Bool, waiting: Int?)
    /// It could not be found or started, or it ended.
    case disconnected(Failure)
    /// There is an agent or none, but no PIN yet.
    case noPIN
    /// The checks of doctor.
    case findings([Finding])
    case status(StatusPayload)
    /// The PIN was not accepted, or could not be checked.
    case unlockFailed(Failure)
    case heard(Event)
    /// The earlier decisions on a card.
    case past(DecisionPast, of: String)
    /// The bank's present content of a request.
    case fetched(Card)
    /// The end of the decision that was sent so. A later decision takes no notice of it.
    case decided(Verdict, DecisionRequest, Result<DecisionPayload, Failure>)
    /// A request with its plaintext.
    case sourced(Card)
    /// All banks have been asked.
    case askedBanks
    /// The end of a connection, or why it goes on.
    case revoked(ConnectionName, Failure?)

    /// Time went by.
    case tick

    // From the person.

    case connect
    case unlock(any Secret)
    /// Chooses the first PIN.
    case choosePIN(any Secret)
    /// Goes to the way back from a forgotten PIN.
    case forgotten
    case lock
    /// Shows the program's name, version and licence.
    case about
    /// Turns to the first page of this tab.
    case show(Tab)
    /// Opens the request with this number of the list.
    case open(Int)
    /// Leaves the page, which decides nothing.
    case back
    /// The end of the card is on screen.
    case sawEnd(number: Int, version: Int)
    case decide(Verdict)
    /// The answer to the question that is open.
    case answer(Answer)
    case pin(any Secret)
    /// Takes the decision back before it is sent.
    case cancel
    case nextRequest
    /// Opens the request of this reference, or the list if the text is empty: a note's Review was pressed, or a command named it.
    case review(String)

    /// Says yes to the question that has the page for itself, with the text of its entry.
    case confirm(String)

    case bank(BankEvent)
    case settings(SettingsEvent)
    /// Somebody else began the open request.
    case disown
    /// Denies all that wait at this connection.
    case denyAll(String)
    /// Asks the banks at once.
    case askBanks
    /// Shows the plaintext of the open request.
    case showSource
    // Of the other tabs, from agent and person.

    case history(HistoryEvent)
    case signIns(SignInsEvent)
    case programs(ProgramsEvent)
}

/// A task from the window's model. Its result comes back as an event.
package enum WindowEffect: Sendable {
    /// Find the agent, or start it, and follow its events.
    case connect
    case unlock(any Secret)
    /// Set the first PIN, find the agent, and unlock it with that.
    case setPIN(any Secret)
    /// Destroy everything, and begin again.
    case reset
    /// Ask doctor.
    case examine
    case changePIN(from: any Secret, to: any Secret)
    case learnStatus
    case lock
    case showAbout
    /// Look up earlier decisions on this card.
    case learnPast(Card)
    case fetch(reference: String)
    /// The same with its plaintext.
    case fetchSource(reference: String)
    case askBanks
    /// Wait no longer for the outcome of a decision, which goes on.
    case giveUp(reference: String)
    case revoke(ConnectionName)
    case decide(Verdict, DecisionRequest, pin: (any Secret)?)
    case history(HistoryEffect)
    case signIns(SignInsEffect, pin: (any Secret)? = nil)
    case programs(ProgramsEffect, pin: (any Secret)? = nil)
    /// The person did something.
    case use
    /// Send a tick at this moment.
    case wake(ContinuousClock.Instant)
    case bank(BankEffect)
}
