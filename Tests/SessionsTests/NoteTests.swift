import Basics
import FoundationEssentials
import Keys
@testable import SessionModel
import Synchronization
import Testing

@testable import Sessions

/// Which note each action leaves, and how notes come into the log.
struct NoteTests {
    private let time = TokenKeeperTests.Time()
    private let store = MemorySessions()
    private let requester = Requester(pid: 4711, uid: 1000, commands: ["countersign"])

    private struct Attempt: AuthorizationAttempt {
        let page: WebAddress
        func judge(_ address: String) -> RedirectJudgement { .code(MemorySecret("code")) }
        func exchange(_ code: any Secret, as client: ClientRegistration) async throws(IssuerError) -> TokenGrant {
            TokenKeeperTests.grant(1)
        }
        func identity(in grant: TokenGrant) async throws(IssuerError) -> Identity? {
            Identity(subject: BankText("mira"))
        }
    }

    private struct Place {
        var sessions: LocalSessions
        var issuer: IssuerMetadata
    }

    private func place(
        _ end: SignOutClock = .never, _ change: (inout ScriptedIssuer) -> Void = { _ in }
    ) throws -> Place {
        let address = try #require(Issuer("https://fern.example:8443"))
        var metadata = IssuerMetadata(
            issuer: address, authorizationEndpoint: address.address, tokenEndpoint: address.address, fetchedAt: Date())
        metadata.revocationEndpoint = address.address
        var issuer = ScriptedIssuer()
        issuer.onDiscover = { [metadata] () async throws(IssuerError) in DiscoveredIssuer(metadata) }
        issuer.onAuthorize = { _, _ async throws(IssuerError) in Attempt(page: address.address) }
        issuer.onRevoke = { _, _ async throws(IssuerError) in }
        change(&issuer)
        var sessions = LocalSessions(
            store: store, service: issuer, clock: time.clock, signOutClock: end,
            makeID: { UUID().uuidString.lowercased() }, rejected: { _ in .newest })
        sessions.requester = requester
        return Place(sessions: sessions, issuer: metadata)
    }

    private func logIn(_ place: Place, _ name: String = "fern") async throws {
        var wish = LoginWish(.address(place.issuer.issuer.address))
        (wish.name, wish.client) = (SessionName(name), .init(id: BankText("c")))
        if let again = try store.sessions().first(where: { $0.name.text == name }) { wish.target = .session(again) }
        wish.scopes = Scopes("openid mail")
        let sessions = place.sessions
        let login = Login(
            wish, service: sessions.service, store: store, clock: time.clock, makeID: sessions.makeID,
            requester: requester)
        _ = try await login.begin()
        _ = try await login.accept(redirectURI: "http://127.0.0.1/callback")
        _ = try await login.take("x")
    }

    private func allow(_ place: Place, _ use: ProgramGrant.Use = .open) throws -> String {
        let (program, session) = (try #require(Program("unit:backup.service")), try #require(SessionName("fern")))
        let options = GrantOptions(
            program, session, scopes: Scopes("mail"), resources: [], try AllowOptions(use))
        return try place.sessions.allow(options, by: .entered()).grant.id
    }

    /// `event session program scopes detail` of each, oldest first.
    private func notes() throws -> [String] {
        try store.pendingNotes().map { note in
            #expect(note.host == "fern.example:8443" && note.requester == requester && note.at == time.clock.now())
            return [
                note.event.rawValue, note.session.text, note.program?.text ?? "-", note.scopes.text, note.detail ?? "-",
            ].joined(separator: " ")
        }
    }

    @Test func signingInAndOut() async throws {
        let isDown = Mutex(false)
        let place = try place { issuer in
            issuer.onRevoke = { _, _ async throws(IssuerError) in
                if isDown.withLock({ $0 }) { throw .unreachable(reason: "down") }
            }
        }
        for _ in 0..<2 { try await logIn(place) }
        try await logIn(place, "oak")
        try await logIn(place, "elm")
        _ = try await place.sessions.end("fern", SignOutOptions(localOnly: false, browser: false))
        isDown.withLock { $0 = true }
        _ = try await place.sessions.end("oak", SignOutOptions(localOnly: false, browser: false))
        _ = try await place.sessions.end("elm", SignOutOptions(localOnly: true, browser: false))
        #expect(
            try notes() == [
                "signed_in fern - mail openid -", "signed_in fern - mail openid again",
                "signed_in oak - mail openid -", "signed_in elm - mail openid -",
                "signed_out fern - mail openid revoked", "signed_out oak - mail openid owed",
                "signed_out elm - mail openid local",
            ])
    }

    @Test func aLoginThatFailsLeavesNone() async throws {
        let place = try place { issuer in
            issuer.onAuthorize = { _, _ async throws(IssuerError) in throw .unsupported(reason: "no") }
        }
        await #expect(throws: SessionError.self) { try await logIn(place) }
        #expect(try notes().isEmpty)
    }

    /// Each way in which a session ends without the person's doing, once.
    @Test(arguments: [EndReason.rejected, .changed, .timeOver, .left]) func ends(_ reason: EndReason) async throws {
        let place = try place(SignOutClock(.after(seconds: 9000), on: [.sleep]) { _ in 0 }) { issuer in
            issuer.onRefresh = { _, _ in
                reason == .rejected
                    ? .rejected(Rejection(.grant)) : .granted(TokenKeeperTests.grant(2, idToken: true))
            }
            issuer.onJudge = { _, _ in .ofAnother }
        }
        try await logIn(place)
        time.pass(reason == .timeOver ? 9000 : 1000)
        try store.pendingNotes().forEach(store.forget)
        for _ in 0..<2 {
            switch reason {
            case .timeOver: _ = try place.sessions.endDue()
            case .left:
                try store.note(Departure(.sleep, at: Moment(time.clock)))
                _ = try place.sessions.endDue()
            default:
                let session = try place.sessions.lookup().session("fern")
                _ = try? await place.sessions.keeper.token(of: session, lasting: 60)
            }
        }
        #expect(try notes() == ["ended fern - mail openid \(reason.rawValue)"])
    }

    @Test func grants() async throws {
        let place = try place()
        try await logIn(place)
        try store.pendingNotes().forEach(store.forget)
        _ = try allow(place, .unlocked)
        let program = try #require(Program("unit:backup.service"))
        for _ in 0..<2 { try place.sessions.revoke(allOf: program) }
        _ = try await place.sessions.revokeGrant(try allow(place))
        _ = try await place.sessions.revokeGrant(try allow(place), cut: true)
        let session = try place.sessions.lookup().session("fern")
        try place.sessions.noteRefusal(program, TokenAim(scopes: Scopes("mail"), resources: []), session)
        #expect(
            try notes()
                == [
                    "granted unlocked", "revoked by_itself", "granted open", "revoked -", "granted open",
                    "revoked cut", "refused -",
                ].map { $0.replacing(" ", with: " fern unit:backup.service mail ") })
    }

    /// Of the tokens that a grant gave, the first is told at once, and then all of a day.
    @Test func tokensThatAGrantGave() async throws {
        let place = try place()
        try await logIn(place)
        let id = try allow(place)
        var told: [[String]] = []
        for (count, passed) in [
            (1, 0), (1, 10), (5, 86000), (0, 400), (0, 86400), (2, 86400), (0, 0), (1, 86399), (1, 1),
        ] {
            time.pass(Int64(passed))
            try store.pendingNotes().forEach(store.forget)
            if count > 0 { try place.sessions.count(count, by: id, at: time.clock.now()) }
            try place.sessions.noteUses()
            told.append(try notes())
        }
        func note(_ count: Int) -> [String] { ["handed_out fern unit:backup.service mail \(count)"] }
        #expect(told == [note(1), [], [], note(6), [], note(2), [], [], note(2)])
        let grant = try #require(try place.sessions.grants().grants.first)
        #expect(grant.uses == 11 && grant.lastUsedAt == Timestamp(time.clock.now()))
        // One that goes tells of the rest, and then of nothing.
        for isLogout in [false, true] {
            let id = isLogout ? try allow(place) : id
            for _ in 0..<3 { try place.sessions.count(1, by: id, at: time.clock.now()) }
            try store.pendingNotes().forEach(store.forget)
            if isLogout {
                _ = try await place.sessions.end("fern", SignOutOptions(localOnly: true, browser: false))
            } else {
                _ = try await place.sessions.revokeGrant(id)
            }
            #expect(try notes().first == note(isLogout ? 2 : 3).first)
            #expect(try notes().count == 2)
        }
        try place.sessions.count(1, by: id, at: time.clock.now())
    }

    // MARK: Into the log

    /// A log in memory, which can be cut off.
    private final class Log: NoteLog {
        struct CutOff: Error {}

        let state = Mutex((notes: [SessionNote](), writes: 0, dies: Int?.none, isBroken: false))

        func record(_ note: SessionNote) throws {
            try state.withLock { state in
                if !state.notes.contains(where: { $0.id == note.id }) { state.notes.append(note) }
                state.writes += 1
                if state.writes == state.dies { throw CutOff() }
            }
        }
        func notes() throws -> [LoggedNote] { state.withLock { $0.notes.map { LoggedNote($0, hash: $0.id) } } }
        func verify() throws -> LogVerdict { state.withLock { $0.isBroken ? .broken("event 1") : .intact(events: 0) } }
    }

    /// Wherever it is cut off, after the log has a note and before it is forgotten.
    @Test(arguments: 1...4) func noneIsLostOrDoubled(_ place: Int) async throws {
        let here = try self.place()
        for name in ["fern", "oak", "elm"] { try await logIn(here, name) }
        let log = Log()
        log.state.withLock { $0.dies = place }
        var sessions = here.sessions
        sessions.log = log
        _ = try? sessions.settleNotes()
        try sessions.settleNotes()
        try sessions.settleNotes()
        #expect(try log.notes().map(\.note.session.text) == ["fern", "oak", "elm"])
        #expect(try store.pendingNotes().isEmpty)
    }

    @Test func whatTheHistoryTells() async throws {
        let place = try place()
        var sessions = place.sessions
        #expect(throws: (any Error).self) { _ = try sessions.history(SessionHistoryRequest()) }
        for name in ["fern", "oak"] {
            try await logIn(place, name)
            time.pass(100)
        }
        let log = Log()
        sessions.log = log
        func names(_ request: SessionHistoryRequest) throws -> [String] {
            try sessions.history(request).events.map(\.session)
        }
        #expect(try names(SessionHistoryRequest()) == ["fern", "oak"])
        #expect(try names(SessionHistoryRequest(limit: 1)) == ["oak"])
        let since = Timestamp(time.clock.now() - 100)
        #expect(try names(SessionHistoryRequest(since: since)) == ["oak"])
        // A broken log takes no more notes, which go on waiting.
        try await logIn(place, "elm")
        log.state.withLock { ($0.isBroken, $0.dies) = (true, 3) }
        let told = try sessions.history(SessionHistoryRequest(isVerified: true))
        #expect(told.log == "broken at event 1" && !told.isIntact)
        #expect(try store.pendingNotes().map(\.session.text) == ["elm"])
    }
}
