@testable import Agent
import Basics
@testable import SessionModel
import Testing

/// Which sessions the desktop asks to sign in to again, and when.
struct ReminderDutyTests {
    private enum Act {
        case ask(String), signOut(String)
        case pass(Duration)
        /// The sessions that are there, with the time of their last login.
        case look([String: Double])
    }

    /// Drives the reminders by a list of acts. A note is shown (`+`) or taken back (`-`).
    private func notes(_ acts: [Act]) throws -> [String] {
        var (reminders, now) = (SignInReminders(), Duty.start)
        return try acts.flatMap { act -> [String] in
            switch act {
            case .ask(let name): return reminders.asked(for: try Duty.session(name), at: now) ? ["+ " + name] : []
            case .signOut(let name): reminders.signedOut(SessionID(name), at: now)
            case .pass(let time): now += time
            case .look(let all):
                let sessions = try all.map { try Duty.session($0.key, updated: $0.value) }
                return reminders.settled(among: sessions).map { "- " + $0.text }.sorted()
            }
            return []
        }
    }

    @Test func aNoteIsShownOnceAnHour() throws {
        let almost = SignInReminders.pause - .seconds(1)
        #expect(
            try notes([
                .ask("fern"), .ask("fern"), .ask("oak"), .pass(almost), .ask("fern"), .pass(.seconds(1)), .ask("fern"),
            ])
                == ["+ fern", "+ oak", "+ fern"])
    }

    /// The note about the sign-out is enough.
    @Test func aSignOutIsNotFollowedByAReminder() throws {
        #expect(
            try notes([.signOut("fern"), .ask("fern"), .pass(SignInReminders.pause), .ask("fern")]) == ["+ fern"])
    }

    @Test func aNoteGoesWithItsReason() throws {
        let asked: [Act] = [.ask("fern"), .ask("oak")]
        #expect(try notes(asked + [.look(["fern": 0, "oak": 0])]) == ["+ fern", "+ oak"])
        // One was signed in to again, and the other one is gone.
        #expect(try notes(asked + [.look(["fern": 5])]).suffix(2) == ["- fern", "- oak"])
        #expect(try notes(asked + [.look(["fern": 5]), .look([:])]).count == 4)
    }

    @Test func oneButtonLeadsToOneLogin() {
        var reminders = SignInReminders()
        let fern = SessionID("fern")
        let begun = [fern, fern, SessionID("oak")].map { reminders.began($0) }
        #expect(begun == [true, false, true])
        reminders.ended(fern)
        let isBegun = reminders.began(fern)
        #expect(isBegun)
    }

    @Test func onlyALoginHelps() throws {
        let (session, name) = (try Duty.session(), try Duty.session().name)
        let table: [(SessionError, takesLogin: Bool, isWanted: Bool)] = [
            (.signedOut(name, .rejected), true, false), (.signedOut(name, .timeOver), true, true),
            (.signedOut(name, .left), true, true), (.signedOut(name, .signedOut), false, false),
            (.ranOut(session), true, false), (.idTokenRanOut(name), true, false),
            (.renewal(name, .refused(Rejection(.grant, status: 400))), false, false), (.notGranted, false, false),
        ]
        for (error, takesLogin, isWanted) in table {
            #expect(error.takesLogin == takesLogin && error.isWantedEnd == isWanted, "\(error)")
        }
    }
}
