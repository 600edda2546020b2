import Testing
@testable import Vault

struct SystemClockTests {
    @Test func tellsThisBoot() throws {
        let first = try #require(SystemClock.live.boot())
        let second = try #require(SystemClock.live.boot())
        #expect(first.bootID.utf8.count == 36)
        #expect(first.bootID == second.bootID)
        #expect(first.seconds > 0)
        #expect(second.seconds >= first.seconds)
    }

    @Test(
        arguments: [
            ("", false), ("monotonic           0         0\nboottime            0         0\n", false),
            ("monotonic           0         0\nboottime         3600         0\n", true),
            ("monotonic          -1         0\nboottime            0         0\n", true),
            ("monotonic           0         0\nboottime            0         1\n", true),
            ("boottime what 0\n", true),
        ])
    func offsetsAreSeen(_ text: String, _ isShifted: Bool) {
        #expect(SystemClock.isShifted(text) == isShifted)
    }
}
