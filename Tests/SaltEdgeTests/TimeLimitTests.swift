import Testing

@testable import SaltEdge

@Suite struct TimeLimitTests {
    private struct Refused: Error {}

    private static func never() async throws { try await Task.sleep(for: .seconds(3600)) }

    @Test func whatEndsInTimeIsHandedOn() async throws {
        let limit = TimeLimit(seconds: 3600)
        #expect(try await limit.during { 7 } == 7)
        await #expect(throws: Refused.self) { try await limit.during { throw Refused() } }
    }

    /// One after the other and all at once: the timer starts again when nothing ran for a while.
    @Test(.timeLimit(.minutes(1))) func eachIsCutShort() async throws {
        let limit = TimeLimit(seconds: 0.05)
        for _ in 0..<3 {
            await withTaskGroup { group in
                for _ in 0..<10 {
                    group.addTask { await #expect(throws: Overdue.self) { try await limit.during(Self.never) } }
                }
            }
        }
    }

    @Test func whatLooksDoneWhenItWasCutShortIsOverdue() async throws {
        let limit = TimeLimit(seconds: 0.05)
        await #expect(throws: Overdue.self) { try await limit.during { try? await Self.never() } }
    }

    @Test(.timeLimit(.minutes(1))) func theCallerMayGiveUpBefore() async throws {
        let limit = TimeLimit(seconds: 3600)
        let task = Task { try await limit.during(Self.never) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
