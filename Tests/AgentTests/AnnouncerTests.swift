@testable import Agent
import Approvals
@testable import Desktop
import Synchronization
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(3))) struct DesktopAnnouncerTests {
    private static func card(_ reference: String) -> Card {
        APISamples.decode(APISamples.card.replacing(APISamples.oneCard.reference, with: reference))
    }

    /// Works on a desktop until it is gone.
    private final class Announcing {
        let announcer: DesktopAnnouncer
        private let working: Task<Void, Never>
        private let written: Lines

        /// What went to the journal: nothing, while there is a server.
        var journal: [String] { written.lines.withLock { $0 } }

        private final class Lines: Sendable {
            let lines = Mutex<[String]>([])
        }

        init(on desktop: FakeDesktop, patience: Duration = .seconds(60)) {
            let written = Lines()
            let announcer = DesktopAnnouncer(
                Notifier(bus: desktop.bus(), patience: patience), window: { _ in false }, now: { .now },
                journal: { line in written.lines.withLock { $0.append(line) } })
            self.announcer = announcer
            self.written = written
            working = Task { await announcer.work() }
        }

        deinit { working.cancel() }
    }

    @Test func whatIsNewestIsShown() async throws {
        let desktop = try FakeDesktop()
        let fixture = Announcing(on: desktop)
        fixture.announcer.approvals.announce(Self.card("a"), as: "a")
        _ = try await desktop.calls("Notify", 1)
        fixture.announcer.approvals.announce(Self.card("b"), as: "b")
        fixture.announcer.approvals.retract("a")
        #expect(try await desktop.calls("CloseNotification", 1).map(\.id) == [1])
        #expect(try await desktop.calls("Notify", 2).count == 2)
        #expect(fixture.journal == [])
    }

    @Test(arguments: [
        (true, "Until then your keyring has them."), (false, "Until then they are lost if the computer stops."),
    ])
    func tokensThatCannotBeWrittenAreTold(isRescued: Bool, words: String) async throws {
        let desktop = try FakeDesktop()
        let fixture = Announcing(on: desktop)
        fixture.announcer.sessions.unsaved(isRescued: isRescued)
        let note = try #require(try await desktop.calls("Notify", 1).first)
        #expect(note.summary == "New sign-in tokens cannot be written")
        #expect(note.body?.contains("Is the disk full?") == true && note.body?.contains(words) == true)
        #expect(fixture.journal == [])
    }

    @Test func nothingIsShownAnyMoreOnceItIsHidden() async throws {
        let desktop = try FakeDesktop()
        let fixture = Announcing(on: desktop)
        let first = Self.card("a")
        fixture.announcer.approvals.announce(first, as: "a")
        _ = try await desktop.calls("Notify", 1)
        try desktop.tell("hold")
        // One is on its way, and one waits behind it.
        fixture.announcer.approvals.announce(Self.card("b"), as: "b")
        _ = try await desktop.calls("Notify", 2)
        fixture.announcer.approvals.announce(Self.card("c"), as: "c")
        fixture.announcer.approvals.hide(waiting: 3)
        fixture.announcer.approvals.announce(Self.card("d"), as: "d")
        // The one that is on the screen leaves although the server is busy.
        #expect(try await desktop.calls("CloseNotification", 1).map(\.id) == [1])
        try desktop.tell("release")
        #expect(try await desktop.calls("CloseNotification", 2).map(\.id) == [1, 2])
        let notes = try await desktop.calls("Notify", 3)
        #expect(notes[2].summary == "Countersign is locked")
        #expect(notes[2].body == "3 requests wait for your decision")
        fixture.announcer.approvals.unhide()
        #expect(try await desktop.calls("CloseNotification", 3).last?.id == notes[2].id)
        fixture.announcer.approvals.announce(first, as: "a")
        #expect(try await desktop.calls("Notify", 4).count == 4)
        #expect(fixture.journal == [])
    }

    /// An alarm is too important to be dropped by a lock, but after it names no request.
    @Test func anAlarmBeforeALockIsToldWithoutItsRequest() async throws {
        let desktop = try FakeDesktop()
        let fixture = Announcing(on: desktop)
        fixture.announcer.approvals.announce(Self.card("a"), as: "a")
        _ = try await desktop.calls("Notify", 1)
        fixture.announcer.approvals.alarm("fern:7", .overturned("fern:7"))
        fixture.announcer.approvals.shut(missesRequests: false)
        let alarm = try #require(try await desktop.calls("Notify", 2).last)
        #expect(alarm.summary == "Alarm: a denial was confirmed")
        #expect(alarm.body?.contains("fern") == false)
        #expect(alarm.body?.contains("what you denied") == true)
        fixture.announcer.approvals.unhide()
        fixture.announcer.approvals.alarm("fern:8", .overturned("fern:8"))
        #expect(try await desktop.calls("Notify", 3).last?.body?.contains("fern:8") == true)
    }

    /// The note names no session, so a lock takes it off the screen for a moment only.
    @Test func aSessionThatEndedIsToldAlsoAfterALock() async throws {
        let desktop = try FakeDesktop()
        let fixture = Announcing(on: desktop)
        for id in ["s-1", "s-2"] { fixture.announcer.sessions.remind(ofSignIn: id) }
        let notes = try await desktop.calls("Notify", 2)
        #expect(notes.map(\.summary) == ["Sign in again", "Sign in again"])
        #expect(notes[0].actions == ["default", "Sign in", "sign-in", "Sign in"])
        fixture.announcer.approvals.shut(missesRequests: false)
        #expect(Set(try await desktop.calls("CloseNotification", 2).map(\.id)) == Set(notes.map(\.id)))
        let again = try await desktop.calls("Notify", 4).suffix(2)
        #expect(again.map(\.summary) == notes.map(\.summary) && again.map(\.body) == notes.map(\.body))
        // One was signed in to, and the person put the other one away: nothing comes back.
        fixture.announcer.sessions.retract(signIn: "s-1")
        #expect(try await desktop.calls("CloseNotification", 3).last?.id == again.first?.id)
        fixture.announcer.sessions.change { $0.signIns.dismiss("s-2") }
        fixture.announcer.approvals.unhide()
        fixture.announcer.approvals.hide(waiting: 1)
        #expect(try await desktop.calls("Notify", 5).last?.summary == "Countersign is locked")
        #expect(fixture.journal == [])
    }

    /// A lock that withdraws it on its way to the screen is no reason to write it to the journal: it is shown again.
    @Test(arguments: [false, true])
    func aLockThatMeetsANoteIsNoReasonForALine(isSignOut: Bool) async throws {
        let desktop = try FakeDesktop()
        let fixture = Announcing(on: desktop)
        fixture.announcer.sessions.remind(ofSignIn: "s-1")
        _ = try await desktop.calls("Notify", 1)
        try desktop.tell("hold")
        if isSignOut {
            fixture.announcer.sessions.signedOut()
        } else {
            fixture.announcer.sessions.remind(ofSignIn: "s-2")
        }
        let shown = try await desktop.calls("Notify", 2).compactMap(\.summary)
        fixture.announcer.approvals.shut(missesRequests: false)
        try desktop.tell("release")
        let again = try await desktop.calls("Notify", 4).compactMap(\.summary)
        #expect(again.suffix(2).sorted() == shown.sorted())
        #expect(fixture.journal == [])
    }

    /// The note has no content: a lock that comes right after it takes it off the screen for a moment only.
    @Test func aSignOutIsToldAlsoAfterALock() async throws {
        let desktop = try FakeDesktop()
        let fixture = Announcing(on: desktop)
        fixture.announcer.sessions.signedOut()
        #expect(try await desktop.calls("Notify", 1).map(\.summary) == ["You were signed out"])
        fixture.announcer.approvals.hide(waiting: 0)
        #expect(try await desktop.calls("Notify", 2).last?.summary == "You were signed out")
    }

    /// GNOME keeps three notes of a program.
    @Test func whatWaitsLeavesPlacesToSessionsThatEnded() async throws {
        let desktop = try FakeDesktop()
        let fixture = Announcing(on: desktop)
        for id in ["s-1", "s-2"] { fixture.announcer.sessions.remind(ofSignIn: id) }
        _ = try await desktop.calls("Notify", 2)
        for number in 1...2 { fixture.announcer.approvals.announce(Self.numbered(number), as: "fernbank:\(number)") }
        while try desktop.calls("Notify").last?.summary != "2 requests wait" {
            try await Task.sleep(for: .milliseconds(20))
        }
        let count = try desktop.calls("Notify").count
        fixture.announcer.sessions.retract(signIn: "s-1")
        #expect(
            try await desktop.calls("Notify", count + 2).suffix(2).map(\.summary).contains("2 requests wait") == false)
    }

    @Test func theJournalTellsOfASessionWhereNothingIsShown() async {
        let lines = Recorded<String>()
        let announcer = DesktopAnnouncer(nil, window: { _ in false }, now: { .now }, journal: { lines.add($0) })
        let working = Task { await announcer.work() }
        announcer.sessions.remind(ofSignIn: "s-1")
        #expect(await lines.until(count: 1).contains("countersign login NAME"))
        working.cancel()
    }

    /// One card of many, with a reference and a fingerprint of its own.
    private static func numbered(_ number: Int) -> Card {
        let fingerprint = String(repeating: "0", count: 56) + String(10_000_000 + number)
        return APISamples.decode(
            APISamples.card.replacing(APISamples.oneCard.fingerprint.hex, with: fingerprint)
                .replacing("fernbank:a%2Fb%25", with: "fernbank:\(number)")
                .replacing("00:05:00Z", with: "00:\(number % 50 + 10):00Z"))
    }

    @Test func thousandsAreToldByOneNote() async throws {
        let desktop = try FakeDesktop()
        let fixture = Announcing(on: desktop)
        let cards = (1...3000).map(Self.numbered)
        for (index, card) in cards.enumerated() { fixture.announcer.approvals.announce(card, as: "huge:\(index + 1)") }
        while try desktop.calls("Notify").last?.summary != "3000 requests wait" {
            try await Task.sleep(for: .milliseconds(20))
        }
        let notes = try desktop.calls("Notify")
        #expect(notes.count < 100)
        #expect(notes.last?.actions == ["default", "Review", "review", "Review"])
        // Nothing else stands.
        let closed = Set(try desktop.calls("CloseNotification").map(\.id))
        #expect(Set(notes.map(\.id)).subtracting(closed) == [notes.last?.id])
        // Those that are left have a note each again.
        for number in 1...2998 { fixture.announcer.approvals.retract("huge:\(number)") }
        while try Set(desktop.calls("Notify").suffix(2).compactMap(\.body).map { $0.contains("fernbank:2999,") }) != [
            true, false,
        ] {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(try await desktop.calls("CloseNotification", closed.count + 1).last?.id == notes.last?.id)
        #expect(fixture.journal == [])
    }

    @Test func equalTitlesMakeDifferentNotes() async throws {
        let desktop = try FakeDesktop()
        let fixture = Announcing(on: desktop)
        for number in 1...2 { fixture.announcer.approvals.announce(Self.numbered(number), as: "\(number)") }
        let notes = try await desktop.calls("Notify", 2)
        #expect(Set(notes.map(\.summary)).count == 1 && Set(notes.map(\.body)).count == 2)
    }

    @Test func theEndOfAReviewIsTold() async throws {
        let desktop = try FakeDesktop()
        let fixture = Announcing(on: desktop)
        let card = Self.card("a")
        fixture.announcer.approvals.tell(.withdrawn, of: card)
        let told = try #require(try await desktop.calls("Notify", 1).last)
        #expect(told.summary == "The bank withdrew the request")
        #expect(
            told.body == "its window was closed; nothing was sent\nPay 9.90 EUR\nFern Bank\nsca.fernbank.example\na")
        #expect(told.actions == [] && told.timeout == -1)
    }

    @Test func theEndOfAReviewIsToldWithoutContentAfterALock() async throws {
        let desktop = try FakeDesktop()
        let fixture = Announcing(on: desktop)
        fixture.announcer.approvals.tell(.expired, of: Self.card("a"))
        fixture.announcer.approvals.shut(missesRequests: false)
        let told = try #require(try await desktop.calls("Notify", 1).last)
        #expect(told.summary == "The request expired")
        #expect(told.body == "")
    }

    /// A bank may answer when the screen is locked already.
    @Test func theEndOfAReviewDuringALockIsToldWithoutContent() async throws {
        let desktop = try FakeDesktop()
        let fixture = Announcing(on: desktop)
        fixture.announcer.approvals.hide(waiting: 0)
        fixture.announcer.approvals.tell(.withdrawn, of: Self.card("a"))
        let note = try #require(try await desktop.calls("Notify", 1).last)
        #expect(note.body == "")
        fixture.announcer.approvals.alarm("fern:7", .overturned("fern:7"))
        #expect(try await desktop.calls("Notify", 2).last?.body?.contains("fern:7") == false)
    }

    @Test func nothingIsToldOfALockWhereNothingWaits() async throws {
        let desktop = try FakeDesktop()
        let fixture = Announcing(on: desktop)
        fixture.announcer.approvals.hide(waiting: 0)
        // Told after the lock.
        fixture.announcer.approvals.tell(.expired, of: nil)
        #expect(try await desktop.calls("Notify", 1).map(\.summary) == ["The request expired"])
        #expect(fixture.journal == [])
    }

    @Test func aShutAgentThatMissesRequestsSaysSo() async throws {
        let desktop = try FakeDesktop()
        let fixture = Announcing(on: desktop)
        fixture.announcer.approvals.shut(missesRequests: true)
        let note = try #require(try await desktop.calls("Notify", 1).last)
        #expect(note.summary == "Countersign is locked")
        #expect(note.body == "payments you make now will not appear here")
        #expect(note.actions == ["default", "Unlock", "unlock", "Unlock"] && note.timeout == 0)
        // It is quiet: no sound, and no urgency above the usual.
        #expect(note.hints?.suppressSound == true && note.hints?.urgency == 1)
        // Put away, it stays so until the agent shuts anew.
        try desktop.tell("dismiss \(note.id ?? 0)")
        fixture.announcer.approvals.shut(missesRequests: true)
        fixture.announcer.approvals.tell(.expired, of: nil)
        #expect(try await desktop.calls("Notify", 2).last?.summary == "The request expired")
        fixture.announcer.approvals.unhide()
        fixture.announcer.approvals.shut(missesRequests: true)
        let again = try #require(try await desktop.calls("Notify", 3).last)
        #expect(again.summary == "Countersign is locked")
        fixture.announcer.approvals.unhide()
        while try desktop.calls("CloseNotification").last?.id != again.id {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(fixture.journal == [])
    }

    /// A note that nobody sees tells nothing, and it may be read by somebody else.
    @Test func whatIsMissedIsToldWhenAPersonIsThere() async throws {
        let desktop = try FakeDesktop()
        let fixture = Announcing(on: desktop)
        fixture.announcer.approvals.personLeft(.screenLocked)
        fixture.announcer.approvals.personLeft(.asleep)
        fixture.announcer.approvals.shut(missesRequests: true)
        // The machine wakes, and the screen is still locked.
        fixture.announcer.approvals.over([.asleep])
        fixture.announcer.approvals.tell(.expired, of: nil)
        #expect(try await desktop.calls("Notify", 1).map(\.summary) == ["The request expired"])
        fixture.announcer.approvals.over([.screenLocked, .loggedOut])
        let note = try #require(try await desktop.calls("Notify", 2).last)
        #expect(note.summary == "Countersign is locked")
        fixture.announcer.approvals.personLeft(.loggedOut)
        #expect(try await desktop.calls("CloseNotification", 1).last?.id == note.id)
        fixture.announcer.approvals.over([.screenLocked, .loggedOut])
        #expect(try await desktop.calls("Notify", 3).last?.summary == "Countersign is locked")
    }

    @Test func withoutADesktopAShutAgentSaysNothing() async throws {
        let lines = Recorded<String>()
        let announcer = DesktopAnnouncer(nil, window: { _ in false }, now: { .now }, journal: { lines.add($0) })
        let working = Task { await announcer.work() }
        announcer.approvals.shut(missesRequests: true)
        announcer.sessions.remind(ofSignIn: "s-1")
        #expect(await lines.until(count: 1).contains("countersign login NAME"))
        #expect(lines.all.count == 1)
        working.cancel()
    }

    @Test func whatIsHiddenIsAwaited() async throws {
        let desktop = try FakeDesktop()
        let fixture = Announcing(on: desktop)
        fixture.announcer.approvals.announce(Self.card("a"), as: "a")
        _ = try await desktop.calls("Notify", 1)
        // Its answer has come, so that the id is known.
        fixture.announcer.approvals.announce(Self.card("b"), as: "b")
        _ = try await desktop.calls("Notify", 2)
        fixture.announcer.approvals.shut(missesRequests: false)
        await fixture.announcer.notes.withdrawn()
        #expect(Set(try desktop.calls("CloseNotification").map(\.id)) == [1, 2])
        #expect(fixture.journal == [])
    }

    @Test func aBusyServerIsNotAwaitedForLong() async throws {
        let desktop = try FakeDesktop()
        let fixture = Announcing(on: desktop, patience: .seconds(3600))
        fixture.announcer.approvals.announce(Self.card("a"), as: "a")
        _ = try await desktop.calls("Notify", 1)
        try desktop.tell("hold")
        fixture.announcer.approvals.announce(Self.card("b"), as: "b")
        _ = try await desktop.calls("Notify", 2)
        fixture.announcer.approvals.shut(missesRequests: false)
        await fixture.announcer.notes.withdrawn()
        try desktop.tell("release")
        #expect(try await desktop.calls("CloseNotification", 2).map(\.id) == [1, 2])
        #expect(fixture.journal == [])
    }
}
