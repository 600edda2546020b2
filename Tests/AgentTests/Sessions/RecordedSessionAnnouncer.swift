@testable import Agent
import Basics
import Foundation

/// Records the calls of the wing of sessions to the desktop.
struct RecordedSessionAnnouncer: SessionAnnouncing {
    let asked: Recorded<ProgramRequest>
    let retracted: Recorded<String>
    let signOuts: Recorded<Date>
    let signIns: Recorded<String>
    let clock: Clock

    func announce(_ request: ProgramRequest) { asked.add(request) }
    func retract(request id: String) { retracted.add(id) }
    func signedOut() { signOuts.add(clock.now()) }
    func remind(ofSignIn session: String) { signIns.add("+ " + session) }
    func retract(signIn session: String) { signIns.add("- " + session) }
    func entered() {}
}
