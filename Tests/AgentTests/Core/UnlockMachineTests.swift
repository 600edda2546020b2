@testable import Agent
import Testing

/// How long an unlock lasts, and what ends it.
struct UnlockMachineTests {
    static let start = ContinuousClock.now

    /// The numbers are seconds after the start.
    enum Input: Sendable {
        case unlocked(Double)
        case use(Double)
        case tick(Double)
        case screenLocked(Double)
        case shut
        /// Until so many seconds after the start.
        case held(Double?)
    }

    struct Story: Sendable, CustomTestStringConvertible {
        var name: String
        var inputs: [(Input, UnlockMachine.Effect)]
        /// The state at the moment of the last input that has one.
        var state: UnlockMachine.State
        /// Seconds after the start.
        var end: Double?
        var limits: UnlockMachine.Limits
        var testDescription: String { name }

        init(
            _ name: String, _ inputs: [(Input, UnlockMachine.Effect)], _ state: UnlockMachine.State, until end: Double?,
            limits: UnlockMachine.Limits = UnlockMachine.Limits()
        ) {
            self.name = name
            self.inputs = inputs
            self.state = state
            self.end = end
            self.limits = limits
        }
    }

    static let wiping = UnlockMachine.Limits(pollsWhileLocked: false)
    static let hours = 3600.0
    /// A key every four minutes, from the unlock to the twelfth hour.
    static let busyDay: [(Input, UnlockMachine.Effect)] =
        [(.unlocked(0), .none)] + stride(from: 240, to: 12 * hours, by: 240).map { (.use($0), .none) }

    static let stories = [
        Story("shut at first", [], .shut, until: nil),
        Story(
            "nothing but an unlock opens", [(.use(1), .none), (.tick(2), .none), (.screenLocked(3), .none)], .shut,
            until: nil),
        Story("an unlock opens", [(.unlocked(0), .none)], .open, until: 300),
        Story("shutting what is shut does nothing", [(.shut, .none)], .shut, until: nil),

        // Five minutes without use.
        Story("good for five minutes", [(.unlocked(0), .none), (.tick(299.9), .none)], .open, until: 300),
        Story(
            "five minutes hide", [(.unlocked(0), .none), (.tick(300), .hide)], .hidden, until: 12 * hours),
        Story(
            "hidden once",
            [(.unlocked(0), .none), (.tick(300), .hide), (.tick(301), .none), (.screenLocked(302), .none)],
            .hidden, until: 12 * hours),
        Story("use prolongs", [(.unlocked(0), .none), (.use(299), .none), (.tick(598), .none)], .open, until: 599),
        Story(
            "from the last use", [(.unlocked(0), .none), (.use(299), .none), (.tick(599), .hide)], .hidden,
            until: 12 * hours),
        Story(
            "a tick does not prolong", [(.unlocked(0), .none), (.tick(299), .none), (.tick(300), .hide)], .hidden,
            until: 12 * hours),
        Story("use too late", [(.unlocked(0), .none), (.use(300), .hide)], .hidden, until: 12 * hours),
        Story(
            "use while hidden", [(.unlocked(0), .none), (.tick(300), .hide), (.use(301), .none)], .hidden,
            until: 12 * hours),
        Story(
            "use told out of order", [(.unlocked(0), .none), (.use(200), .none), (.use(100), .none)], .open, until: 500),
        Story(
            "a new unlock opens what is hidden", [(.unlocked(0), .none), (.tick(300), .hide), (.unlocked(400), .none)],
            .open, until: 700),

        // A person at a page that leads back here.
        Story(
            "a page keeps it open", [(.unlocked(0), .none), (.held(600), .none), (.tick(899), .none)], .open, until: 900
        ),
        Story(
            "a page is not for ever", [(.unlocked(0), .none), (.held(600), .none), (.tick(900), .hide)], .hidden,
            until: 12 * hours),
        Story(
            "the page is over", [(.unlocked(0), .none), (.held(600), .none), (.held(nil), .none), (.tick(300), .hide)],
            .hidden, until: 12 * hours),
        Story(
            "its end is use",
            [(.unlocked(0), .none), (.held(600), .none), (.held(nil), .none), (.use(250), .none)], .open, until: 550),
        Story(
            "a page does not stop a locked screen",
            [(.unlocked(0), .none), (.held(600), .none), (.screenLocked(400), .hide)], .hidden, until: 12 * hours),
        Story(
            "a page opens nothing",
            [(.unlocked(0), .none), (.tick(300), .hide), (.held(600), .none), (.use(301), .none)],
            .hidden, until: 12 * hours),
        Story(
            "a page does not prolong twelve hours",
            [(.unlocked(0), .none), (.held(13 * hours), .none), (.tick(12 * hours), .shut)], .shut, until: nil),

        // Twelve hours.
        Story("use for twelve hours", busyDay, .open, until: 12 * hours),
        Story("twelve hours shut", busyDay + [(.tick(12 * hours), .shut)], .shut, until: nil),
        Story(
            "use at the twelfth hour", busyDay + [(.use(12 * hours), .shut), (.use(12 * hours + 1), .none)], .shut,
            until: nil),
        Story(
            "twelve hours shut what is hidden",
            [(.unlocked(0), .none), (.tick(300), .hide), (.tick(12 * hours - 1), .none), (.tick(12 * hours), .shut)],
            .shut, until: nil),
        Story(
            "both at once", [(.unlocked(0), .none), (.tick(13 * hours), .shut), (.tick(14 * hours), .none)], .shut,
            until: nil),
        Story(
            "a locked screen that is told late", [(.unlocked(0), .none), (.screenLocked(12 * hours), .shut)], .shut,
            until: nil),
        Story(
            "twelve hours run from the last unlock",
            [
                (.unlocked(0), .none), (.tick(300), .hide), (.unlocked(6 * hours), .none),
                (.tick(6 * hours + 300), .hide),
            ],
            .hidden, until: 18 * hours),

        // The screen, and what shuts at once.
        Story(
            "a locked screen hides", [(.unlocked(0), .none), (.screenLocked(10), .hide), (.use(11), .none)], .hidden,
            until: 12 * hours),
        Story("a lock shuts", [(.unlocked(0), .none), (.shut, .shut), (.shut, .none)], .shut, until: nil),
        Story(
            "a lock shuts what is hidden", [(.unlocked(0), .none), (.screenLocked(1), .hide), (.shut, .shut)], .shut,
            until: nil),
        Story(
            "shut is opened again", [(.unlocked(0), .none), (.shut, .shut), (.unlocked(50), .none)], .open, until: 350),

        // No polling while locked.
        Story("five minutes shut", [(.unlocked(0), .none), (.tick(300), .shut)], .shut, until: nil, limits: wiping),
        Story("use too late shuts", [(.unlocked(0), .none), (.use(300), .shut)], .shut, until: nil, limits: wiping),
        Story(
            "a locked screen shuts", [(.unlocked(0), .none), (.screenLocked(10), .shut), (.screenLocked(11), .none)],
            .shut, until: nil, limits: wiping),

        // Settings.
        Story(
            "shorter limits", [(.unlocked(0), .none), (.tick(59), .none), (.tick(60), .hide), (.tick(3600), .shut)],
            .shut,
            until: nil, limits: .init(idle: .seconds(60), longest: .seconds(3600))),
        Story(
            "no longer limits", [(.unlocked(0), .none), (.tick(300), .hide), (.tick(12 * hours), .shut)], .shut,
            until: nil,
            limits: .init(idle: .seconds(301), longest: .seconds(24 * 3600))),
    ]

    @Test(arguments: stories)
    func holds(_ story: Story) {
        var machine = UnlockMachine(story.limits)
        var now = Self.start
        func at(_ seconds: Double) -> ContinuousClock.Instant {
            now = Self.start + .seconds(seconds)
            return now
        }
        for (number, (input, expected)) in story.inputs.enumerated() {
            var effect = UnlockMachine.Effect.none
            switch input {
            case .unlocked(let seconds): machine.unlocked(at: at(seconds))
            case .use(let seconds): effect = machine.use(at: at(seconds))
            case .tick(let seconds): effect = machine.tick(at: at(seconds))
            case .screenLocked(let seconds): effect = machine.screenLocked(at: at(seconds))
            case .shut: effect = machine.shut()
            case .held(let seconds): machine.hold(until: seconds.map { Self.start + .seconds($0) })
            }
            #expect(effect == expected, "input \(number)")
        }
        #expect(machine.state(at: now) == story.state)
        #expect(machine.end == story.end.map { Self.start + .seconds($0) })
    }

    /// The state that a caller sees between the end and the tick that reports it.
    @Test(
        arguments: [
            (UnlockMachine.Limits(), 299.0, .open), (UnlockMachine.Limits(), 300, .hidden),
            (UnlockMachine.Limits(), 12 * hours, .shut), (wiping, 299, .open), (wiping, 300, .shut),
        ] as [(UnlockMachine.Limits, Double, UnlockMachine.State)])
    func theStateChangesBeforeTheTick(_ limits: UnlockMachine.Limits, _ seconds: Double, _ state: UnlockMachine.State) {
        var machine = UnlockMachine(limits)
        machine.unlocked(at: Self.start)
        #expect(machine.state(at: Self.start + .seconds(seconds)) == state)
    }
}
