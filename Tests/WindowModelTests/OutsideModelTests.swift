import Approvals
import Basics
import Cryptography
import FoundationEssentials
import Testing
import WindowModel

/// A window that may show no content.
private struct Outside {
    var model = WindowModel()
    var effects: [WindowEffect] = []
    private let moment = ContinuousClock.Instant.now
    private(set) var now = Date(timeIntervalSince1970: 1_900_000_000)

    mutating func take(_ event: WindowEvent) { effects = model.take(event, at: now, moment) }

    mutating func wait(_ seconds: Double) {
        now += seconds
        take(.tick)
    }

    var screen: Screen { model.screen(at: now, moment) }
    var welcome: Screen.Welcome? { if case .welcome(let welcome) = screen { welcome } else { nil } }
    var locked: Screen.Locked? { if case .locked(let locked) = screen { locked } else { nil } }
    var asking: Screen.Asking? { if case .asking(let asking) = screen { asking } else { nil } }

    func wants(_ body: (WindowEffect) -> Bool) -> Bool { effects.contains(where: body) }
    var unlocks: Bool { wants { if case .unlock = $0 { true } else { false } } }
    var resets: Bool { wants { if case .reset = $0 { true } else { false } } }
    var sets: Bool { wants { if case .setPIN = $0 { true } else { false } } }
}

private func pin() throws -> LockedBytes {
    var bytes = Array("271828".utf8)
    return try LockedBytes(wiping: &bytes)
}

private func status(triesLeft: Int, blockedUntil: Date?) throws -> StatusPayload {
    let until = blockedUntil.map { "\"\(Timestamp($0).text)\"" } ?? "null"
    let text = """
        {"locked": true, "pin_set": true, "tries_left": \(triesLeft), "blocked_until": \(until), "keys_in_memory": false,
         "waiting": null, "agent": {"running": true, "version": "1"}}
        """
    return try JSONForm.decode(StatusPayload.self, from: Array(text.utf8))
}

@Suite struct TheFirstPIN {
    @Test(arguments: [true, false]) func itWaitsForTheKeyring(_ isGood: Bool) {
        var window = Outside()
        window.take(.noPIN)
        #expect(window.welcome?.canChoose == false)
        #expect(window.wants { if case .examine = $0 { true } else { false } })
        window.take(.findings([Finding("secret-service", isGood: isGood, "it answers", hint: "start it")]))
        #expect(window.welcome?.canChoose == isGood)
        #expect(window.welcome?.keyringTrouble == (isGood ? nil : "Start it."))
    }

    @Test func afterItComesABank() throws {
        var window = Outside()
        window.take(.noPIN)
        window.take(.choosePIN(try pin()))
        #expect(window.sets && window.welcome?.isBusy == true)
        let second = try pin()
        window.take(.choosePIN(second))
        #expect(!window.sets && second.count == 0)
        window.take(.connected(isOpen: false, waiting: nil))
        window.take(.heard(Event(.unlocked, at: window.now)))
        #expect(window.model.tab == .banks)
    }

    @Test func aRefusalIsSaidThere() throws {
        var window = Outside()
        window.take(.noPIN)
        window.take(.choosePIN(try pin()))
        window.take(.unlockFailed(.usage("this PIN is trivial")))
        #expect(window.welcome?.trouble?.message == "This PIN is trivial." && window.welcome?.isBusy == false)
    }
}

@Suite struct AfterWrongPINs {
    @Test func aBlockTakesNoTryUntilItIsOver() throws {
        var window = Outside()
        window.take(.connected(isOpen: false, waiting: nil))
        window.take(.status(try status(triesLeft: 4, blockedUntil: window.now + 60)))
        #expect(window.locked?.block?.text == "1:00")
        #expect(window.locked?.warning?.hasPrefix("4 wrong PINs more") == true)
        let early = try pin()
        window.take(.unlock(early))
        #expect(!window.unlocks && early.count == 0)
        window.wait(9)
        #expect(window.locked?.block?.text == "0:51")
        window.wait(51)
        #expect(window.locked?.block == nil)
        window.take(.unlock(try pin()))
        #expect(window.unlocks)
    }

    @Test(arguments: [(9, false), (8, true), (1, true)]) func theTriesLeftAreSaidAfterAFailure(
        _ left: Int, _ isSaid: Bool
    ) throws {
        var window = Outside()
        window.take(.connected(isOpen: false, waiting: nil))
        window.take(.status(try status(triesLeft: left, blockedUntil: nil)))
        #expect((window.locked?.warning != nil) == isSaid)
    }

    @Test(arguments: [("destroy my keys", true), ("destroy my key", false), ("", false)])
    func aResetIsTyped(_ text: String, _ isDone: Bool) {
        var window = Outside()
        window.take(.connected(isOpen: false, waiting: nil))
        window.take(.forgotten)
        #expect(window.asking?.entry?.demanded == "destroy my keys" && window.model.tab == nil)
        window.take(.confirm(text))
        #expect(window.resets == isDone)
        window.take(.back)
        #expect((window.asking != nil) == isDone)
    }
}

@Suite struct Settings {
    @Test func aSecretThatComesTooLateIsWiped() throws {
        var window = Outside()
        window.take(.connected(isOpen: true, waiting: nil))
        window.take(.settings(.open))
        window.take(.settings(.changePIN))
        let (old, new) = (try pin(), try pin())
        window.take(.heard(Event(.locked, at: window.now)))
        window.take(.settings(.change(old, to: new)))
        #expect(old.count == 0 && new.count == 0 && window.locked != nil)
    }

    @Test func theLastStepIsTyped() {
        var window = Outside()
        window.take(.connected(isOpen: true, waiting: nil))
        window.take(.settings(.open))
        window.take(.settings(.remove))
        window.take(.confirm("yes"))
        #expect(!window.resets)
        window.take(.confirm("destroy my keys"))
        #expect(window.resets)
        window.take(.settings(.ended(.usage("no"))))
        #expect(window.asking?.trouble?.message == "No.")
        window.take(.back)
        window.take(.back)
        #expect(window.model.tab == .requests)
    }
}
