import Basics
import FoundationEssentials
import Testing

@testable import SessionModel

/// When a session's time is over.
struct SignOutClockTests {
    /// Central European time in 2026.
    private static let zone: @Sendable (Date) -> Int = { date in
        let summer = Timestamp.parse("2026-03-29T01:00:00Z")!..<Timestamp.parse("2026-10-25T01:00:00Z")!
        return summer.contains(date) ? 7200 : 3600
    }

    private func session(_ rule: String?, since: Moment, signedInAt: Moment? = nil) throws -> SignIn {
        let issuer = try #require(Issuer("https://fern.example"))
        let metadata = IssuerMetadata(
            issuer: issuer, authorizationEndpoint: issuer.address, tokenEndpoint: issuer.address, fetchedAt: Date())
        var session = SignIn(
            id: SessionID("1"), name: SessionName(suggestedBy: issuer), issuer: metadata,
            client: ClientRegistration(id: BankText("c")), asked: .none, granted: .none, resources: [], identity: nil,
            at: (signedInAt ?? since).wall)
        session.signedInAt = signedInAt ?? since
        session.order(try rule.map { try #require(SignOutRule($0)) }, keep: nil, at: since)
        return session
    }

    private func moment(_ text: String, boot: String? = nil, _ seconds: Int64 = 0) throws -> Moment {
        Moment(
            wall: try #require(Timestamp.parse(text)), boot: boot.map { BootTime(bootID: $0, seconds: seconds) })
    }

    /// The local clock shows it for the first time after it was said.
    @Test(arguments: [
        ("18:00", "2026-01-10T09:00:00Z", "2026-01-10T17:00:00Z"),
        ("18:00", "2026-01-10T16:59:59Z", "2026-01-10T17:00:00Z"),
        ("18:00", "2026-01-10T17:00:00Z", "2026-01-11T17:00:00Z"),
        ("18:00", "2026-01-10T23:30:00Z", "2026-01-11T17:00:00Z"),
        ("0:00", "2026-01-10T22:59:00Z", "2026-01-10T23:00:00Z"),
        ("00:00", "2026-01-10T23:30:00Z", "2026-01-11T23:00:00Z"),
        // Clocks go forward.
        ("18:00", "2026-03-28T20:00:00Z", "2026-03-29T16:00:00Z"),
        ("01:59", "2026-03-28T20:00:00Z", "2026-03-29T00:59:00Z"),
        ("02:30", "2026-03-28T20:00:00Z", "2026-03-29T00:30:00Z"),
        ("03:00", "2026-03-28T20:00:00Z", "2026-03-29T01:00:00Z"),
        // Clocks go back, and show this time twice.
        ("02:30", "2026-10-24T20:00:00Z", "2026-10-25T00:30:00Z"),
        ("02:30", "2026-10-25T00:45:00Z", "2026-10-25T01:30:00Z"),
        ("02:30", "2026-10-25T01:45:00Z", "2026-10-26T01:30:00Z"),
    ])
    func aTimeOfDay(_ rule: String, _ since: String, _ end: String) throws {
        let since = try moment(since)
        let clock = SignOutClock(.never, zone: Self.zone)
        let session = try session(rule, since: since)
        #expect(clock.end(of: session, at: since).map(Timestamp.format) == end)
        let at = try moment(end)
        #expect(clock.reason(toEnd: session, at: at) == .timeOver)
        #expect(clock.reason(toEnd: session, at: Moment(wall: at.wall - 1, boot: nil)) == nil)
    }

    /// Whichever clock says first that the time is over.
    @Test(
        arguments: [
            // Both clocks run.
            ("2026-01-10T16:59:59Z", "a", 28899, nil), ("2026-01-10T17:00:00Z", "a", 28900, EndReason.timeOver),
            // Somebody set the wall clock back, or forward.
            ("2026-01-09T09:00:00Z", "a", 28900, .timeOver), ("2026-01-09T09:00:00Z", "a", 28899, nil),
            ("2026-01-10T17:00:00Z", "a", 200, .timeOver),
            // Another boot: only the wall clock is left.
            ("2026-01-10T16:59:59Z", "b", 90000, nil), ("2026-01-10T17:00:00Z", "b", 1, .timeOver),
            ("2026-01-09T09:00:00Z", "b", 90000, nil), ("2026-01-10T17:00:00Z", nil, 0, .timeOver),
        ] as [(String, String?, Int64, EndReason?)])
    func aDuration(_ row: (now: String, boot: String?, seconds: Int64, reason: EndReason?)) throws {
        let session = try session("8h", since: try moment("2026-01-10T09:00:00Z", boot: "a", 100))
        let now = try moment(row.now, boot: row.boot, row.seconds)
        let clock = SignOutClock(.never, zone: Self.zone)
        #expect(clock.reason(toEnd: session, at: now) == row.reason)
        let end = try #require(clock.end(of: session, at: now))
        #expect((end <= now.wall) == (row.reason != nil))
    }

    /// The session's own time and that of the settings: the earlier one counts.
    @Test(
        arguments: [
            (nil, "never", nil), ("never", "never", nil), (nil, "8h", "2026-01-10T16:00:00Z"),
            ("never", "8h", "2026-01-10T16:00:00Z"), ("2h", "never", "2026-01-10T12:00:00Z"),
            ("2h", "8h", "2026-01-10T12:00:00Z"), ("8h", "8h", "2026-01-10T16:00:00Z"),
            ("20:00", "18:00", "2026-01-10T17:00:00Z"), ("18:00", "9h", "2026-01-10T17:00:00Z"),
        ] as [(String?, String, String?)])
    func theEarlierOneCounts(_ own: String?, _ setting: String, _ end: String?) throws {
        var session = try session(
            own, since: try moment("2026-01-10T10:00:00Z"), signedInAt: try moment("2026-01-10T08:00:00Z"))
        let clock = SignOutClock(try #require(SignOutRule(setting)), zone: Self.zone)
        let now = try moment("2026-01-10T11:00:00Z")
        #expect(clock.end(of: session, at: now).map(Timestamp.format) == end)
        session.order(nil, keep: true, at: now)
        #expect(clock.end(of: session, at: now) == nil && session.signOut == nil)
        session.order(nil, keep: false, at: now)
        #expect((clock.end(of: session, at: now) == nil) == (setting == "never"))
    }

    /// Whoever signed in before the computer was started anew has logged out since.
    @Test(
        arguments: [
            (["logout"], "b", EndReason.left), (["logout"], "a", nil), (["logout"], nil, nil), (["sleep"], "b", nil),
            ([], "b", nil),
        ] as [([String], String?, EndReason?)])
    func anotherBootIsALogout(_ row: (events: [String], boot: String?, reason: EndReason?)) throws {
        var session = try session(nil, since: try moment("2026-01-10T09:00:00Z", boot: "a", 100))
        let clock = SignOutClock(.never, on: Set(row.events.compactMap(SignOutEvent.init)), zone: Self.zone)
        let now = try moment("2026-01-10T10:00:00Z", boot: row.boot, 50)
        #expect(clock.reason(toEnd: session, at: now) == row.reason)
        session.isKept = true
        #expect(clock.reason(toEnd: session, at: now) == nil)
        session.isKept = false
        session.signedInAt.bootID = nil
        #expect(clock.reason(toEnd: session, at: now) == nil)
    }

    /// The clocks: wall, boot, and seconds in that boot.
    @Test(
        arguments: [
            ("2026-01-10T09:00:01Z", "a", 100, true), ("2026-01-10T08:00:00Z", "a", 101, true),
            ("2026-01-10T10:00:00Z", "a", 99, false), ("2026-01-10T10:00:00Z", "b", 1, true),
            ("2026-01-10T08:00:00Z", "b", 1000, false), ("2026-01-10T10:00:00Z", nil, 0, true),
        ] as [(String, String?, Int64, Bool)])
    func onlyWhatWasSignedInBeforeIsLeft(_ row: (wall: String, boot: String?, seconds: Int64, isLeft: Bool)) throws {
        var session = try session(nil, since: try moment("2026-01-10T09:00:00Z", boot: "a", 100))
        let clock = SignOutClock(.never, on: [.sleep], zone: Self.zone)
        let departure = try moment(row.wall, boot: row.boot, row.seconds)
        #expect(clock.ends(session, on: .sleep, at: departure) == row.isLeft)
        #expect(!clock.ends(session, on: .screenLock, at: departure))
        session.isKept = true
        #expect(!clock.ends(session, on: .sleep, at: departure))
    }

    @Test func aTimeEndsThatASessionIsKept() throws {
        let now = try moment("2026-01-10T10:00:00Z")
        var session = try session(nil, since: now)
        session.order(nil, keep: true, at: now)
        session.order(.never, keep: nil, at: now)
        #expect(session.isKept)
        session.order(.after(seconds: 60), keep: nil, at: now)
        #expect(!session.isKept && session.signOut != nil)
    }

    @Test(arguments: [
        ("never", "never"), ("8h", "8h"), ("480m", "8h"), ("90s", "90s"), ("48h", "2d"), ("3650d", "3650d"),
        ("18:00", "18:00"), ("8:05", "08:05"), ("0:00", "00:00"), ("23:59", "23:59"),
    ]) func aRuleAndItsText(_ text: String, _ canonical: String) throws {
        let rule = try #require(SignOutRule(text))
        #expect(rule.text == canonical && SignOutRule(canonical) == rule)
    }

    @Test(arguments: [
        "", "Never", "8", "h", "0h", "-1h", "+1h", "8 h", "3651d", "99999999999999999999h", "24:00", "18:60", "18:0",
        "018:00",
        ":30", "18:", "1:2:3", "18:00:00", "٨h", "8w",
    ]) func whatIsNoRule(_ text: String) { #expect(SignOutRule(text) == nil) }
}
