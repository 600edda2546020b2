@testable import Desktop
import Testing

private let note = Note("Pay 9.90 EUR", "To Fern Books")
private let other = Note("Pay 9.95 EUR", "To Fern Books")
private let hidden = Note("1 request waits", actions: [.review])

@Suite struct DesktopNoteBoardTests {
    private var board = NoteBoard()

    /// A board with `note` shown as 7 under "a".
    private static func showing(_ shown: Note = note) -> NoteBoard {
        var board = NoteBoard()
        _ = board.serverCame()
        _ = board.show("a", shown)
        _ = board.sent("a", id: 7)
        return board
    }

    @Test mutating func aNoteWaitsForAServer() {
        #expect(board.show("a", note) == [.findServer])
        #expect(board.noServer() == [.answer(key: "a", shown: false)])
        #expect(board.serverCame() == [.send(key: "a", note, replacing: 0)])
        #expect(board.sent("a", id: 7) == [.answer(key: "a", shown: true)])
    }

    @Test func theSameNoteIsNotSentTwice() {
        var board = Self.showing()
        #expect(board.show("a", note) == [.answer(key: "a", shown: true)])
    }

    @Test func aNewNoteReplacesTheOldOne() {
        var board = Self.showing()
        #expect(board.show("a", other) == [.send(key: "a", other, replacing: 7)])
        #expect(board.sent("a", id: 7) == [.answer(key: "a", shown: true)])
        #expect(board.close("a") == [.answer(key: "a", shown: false), .withdraw(7)])
        #expect(board.close("a") == [])
    }

    @Test mutating func whatChangesDuringACallIsMadeGoodAfterIt() {
        _ = board.serverCame()
        #expect(board.show("a", note) == [.send(key: "a", note, replacing: 0)])
        #expect(board.show("a", other) == [])
        #expect(board.sent("a", id: 7) == [.send(key: "a", other, replacing: 7)])
        #expect(board.close("a") == [.answer(key: "a", shown: false)])
        #expect(board.sent("a", id: 7) == [.withdraw(7)])
        #expect(board.sent("a", id: 7) == [])
    }

    @Test func whatCouldNotBeReplacedIsTakenAway() {
        var board = Self.showing()
        #expect(board.show("a", hidden) == [.send(key: "a", hidden, replacing: 7)])
        #expect(board.failed("a") == [.withdraw(7), .answer(key: "a", shown: false)])
        #expect(board.actionInvoked(id: 7, "deny") == [])
        #expect(board.show("a", hidden) == [.send(key: "a", hidden, replacing: 0)])
    }

    @Test func anotherServerIsShownAllThatWaits() {
        var board = Self.showing()
        _ = board.show("b", other)
        _ = board.sent("b", id: 8)
        _ = board.show("c", note)
        board.serverWent()
        #expect(board.actionInvoked(id: 7, "review") == [])
        // The call for "c" was sent to the server that is gone.
        #expect(
            board.serverCame() == [
                .send(key: "a", note, replacing: 0), .send(key: "b", other, replacing: 0),
            ])
        #expect(board.failed("c") == [.send(key: "c", note, replacing: 0)])
    }

    @Test func anIdOfTheServerBeforeIsWorthNothing() {
        var board = Self.showing()
        _ = board.show("b", other)
        board.serverWent()
        _ = board.serverCame()
        #expect(board.sent("b", id: 9) == [.send(key: "b", other, replacing: 0)])
        #expect(board.actionInvoked(id: 9, "review") == [])
    }

    @Test func aServerThatLeavesDuringACallIsLookedForAgain() {
        var board = Self.showing()
        _ = board.show("b", other)
        board.serverWent()
        #expect(board.failed("b") == [.findServer])
        #expect(
            board.noServer() == [.answer(key: "a", shown: false), .answer(key: "b", shown: false)])
    }

    @Test(
        arguments: [("default", .review("a")), ("review", .review("a")), ("deny", .deny("a"))]
            as [(
                String, NotifierEvent
            )])
    func anActionIsTold(_ name: String, _ event: NotifierEvent) {
        var board = Self.showing()
        #expect(board.actionInvoked(id: 7, name) == [.tell(event)])
    }

    @Test(arguments: [Note.Action.unlock, .signIn, .review]) func aClickDoesWhatTheFirstButtonDoes(
        _ action: Note.Action
    ) {
        var board = Self.showing(Note("Sign in again", actions: [action]))
        #expect(board.actionInvoked(id: 7, "default") == [.tell(.pressed(action, "a"))])
    }

    @Test func anActionThatIsNotOfferedIsIgnored() {
        var board = Self.showing()
        #expect(board.actionInvoked(id: 8, "deny") == [])
        #expect(board.actionInvoked(id: 7, "approve") == [])
        // The action is pressed on the old note, while the new one without it is being sent, and again after that.
        _ = board.show("a", hidden)
        #expect(board.actionInvoked(id: 7, "deny") == [])
        _ = board.sent("a", id: 7)
        #expect(board.actionInvoked(id: 7, "deny") == [])
        #expect(board.actionInvoked(id: 7, "default") == [.tell(.review("a"))])
    }

    @Test func whatThePersonPutAwayStaysAway() {
        var board = Self.showing()
        #expect(board.closed(id: 8, reason: 2) == [])
        #expect(board.closed(id: 7, reason: 2) == [.tell(.left("a"))])
        #expect(board.closed(id: 7, reason: 2) == [])
        #expect(board.update("a", other) == [.answer(key: "a", shown: true)])
        #expect(board.serverCame() == [])
        #expect(board.show("a", note) == [.send(key: "a", note, replacing: 0)])
    }

    /// GNOME drops the oldest of four with reason 1. Every reason but the person's own counts as a drop.
    @Test(arguments: [1, 3, 4] as [UInt32]) func whatTheServerDroppedIsShownAgainAfterAWhile(_ reason: UInt32) {
        var board = Self.showing()
        #expect(board.closed(id: 7, reason: reason) == [.wait(key: "a", drops: 1)])
        // It is not shown again before that.
        #expect(board.update("a", other) == [])
        #expect(board.again("a", drops: 1) == [.send(key: "a", other, replacing: 0)])
        #expect(board.sent("a", id: 8) == [.answer(key: "a", shown: true)])
        // The pause is longer each time.
        #expect(board.closed(id: 8, reason: reason) == [.wait(key: "a", drops: 2)])
        #expect(board.again("a", drops: 1) == [])
        #expect(board.again("a", drops: 2) == [.send(key: "a", other, replacing: 0)])
        #expect(board.sent("a", id: 9) == [.answer(key: "a", shown: true)])
        #expect(board.again("a", drops: 2) == [])
    }

    @Test func whatIsAskedForAgainDoesNotWait() {
        var board = Self.showing()
        #expect(board.closed(id: 7, reason: 1) == [.wait(key: "a", drops: 1)])
        #expect(board.show("a", note) == [.send(key: "a", note, replacing: 0)])
        #expect(board.again("a", drops: 1) == [])
    }

    @Test func whatWasDroppedAndClosedDoesNotComeBack() {
        var board = Self.showing()
        #expect(board.closed(id: 7, reason: 1) == [.wait(key: "a", drops: 1)])
        #expect(board.close("a") == [.answer(key: "a", shown: false)])
        #expect(board.again("a", drops: 1) == [])
    }

    @Test(arguments: [1, 3, 4] as [UInt32]) func whatLeftByItselfComesBackWithTheNextServer(_ reason: UInt32) {
        var board = Self.showing()
        _ = board.closed(id: 7, reason: reason)
        #expect(board.serverCame() == [.send(key: "a", note, replacing: 0)])
        #expect(board.again("a", drops: 1) == [])
    }

    @Test(arguments: [.short, .usual] as [Note.Stay]) func aNoteThatNeedNotStayMayLeave(_ stay: Note.Stay) {
        var board = Self.showing()
        var told = note
        told.stay = stay
        _ = board.show("b", told)
        _ = board.sent("b", id: 8)
        #expect(board.closed(id: 8, reason: 1) == [.tell(.left("b"))])
        #expect(board.serverCame() == [.send(key: "a", note, replacing: 0)])
    }

    @Test func onlyTheNoteThatIsMeantIsClosed() {
        var board = Self.showing()
        #expect(board.close("a", showing: other) == [])
        #expect(board.close("a", showing: note) == [.answer(key: "a", shown: false), .withdraw(7)])
    }

    @Test func theOldOneLeavingDoesNotDismissTheNewOne() {
        var board = Self.showing()
        _ = board.show("a", other)
        #expect(board.closed(id: 7, reason: 2) == [])
        #expect(board.sent("a", id: 8) == [.answer(key: "a", shown: true)])
        #expect(board.actionInvoked(id: 8, "deny") == [.tell(.deny("a"))])
    }

    @Test func whatComesBeforeTheIdIsHeardAfterIt() {
        var board = Self.showing()
        _ = board.show("b", other)
        _ = board.show("c", other)
        for id in [8, 9] as [UInt32] {
            #expect(board.actionInvoked(id: id, "deny") == [])
            #expect(board.closed(id: id, reason: 2) == [])
        }
        #expect(
            board.sent("c", id: 9) == [.answer(key: "c", shown: true), .tell(.deny("c")), .tell(.left("c"))])
        #expect(board.failed("b") == [.answer(key: "b", shown: false)])
        // 8 was never an id of ours.
        _ = board.show("b", other)
        #expect(board.sent("b", id: 8) == [.answer(key: "b", shown: true)])
    }

    @Test func whatAServerClosesAtOnceIsNotSentAgainAtOnce() {
        var board = Self.showing()
        _ = board.show("b", other)
        #expect(board.closed(id: 8, reason: 4) == [])
        #expect(board.sent("b", id: 8) == [.answer(key: "b", shown: true), .wait(key: "b", drops: 1)])
        #expect(board.actionInvoked(id: 8, "deny") == [])
    }

    @Test func anIdBelongsToOneKey() {
        var board = Self.showing()
        _ = board.show("b", other)
        _ = board.sent("b", id: 7)
        #expect(board.actionInvoked(id: 7, "deny") == [.tell(.deny("b"))])
    }

    @Test func anIdOfZeroIsNone() {
        var board = Self.showing()
        _ = board.show("b", other)
        #expect(board.sent("b", id: 0) == [.answer(key: "b", shown: false)])
    }

    @Test func allAreClosed() {
        var board = Self.showing()
        _ = board.show("b", other)
        _ = board.sent("b", id: 8)
        #expect(
            board.closeAll() == [
                .answer(key: "a", shown: false), .withdraw(7), .answer(key: "b", shown: false), .withdraw(8),
            ])
        #expect(board.serverCame() == [])
    }

    @Test func whatWasSeenIsToldByItsTag() {
        var (seen, next) = (note, other)
        (seen.tag, next.tag) = ("1", "2")
        var board = NoteBoard()
        _ = board.serverCame()
        _ = board.show("a", seen)
        _ = board.sent("a", id: 7)
        _ = board.show("a", next)
        #expect(board.actionInvoked(id: 7, "deny") == [.tell(.deny("a", tag: "1"))])
        _ = board.sent("a", id: 7)
        #expect(board.actionInvoked(id: 7, "deny") == [.tell(.deny("a", tag: "2"))])
        #expect(board.actionInvoked(id: 7, "review") == [.tell(.review("a", tag: "2"))])
    }
}
