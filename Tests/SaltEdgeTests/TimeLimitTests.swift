import Testing
@testable import Web
@testable import SaltEdge

@Suite struct TimeLimitTests {
    private struct Refused: Error {}

    private static func never() async throws { try await Task.sleep(for: .seconds(3600)) }

    private static func run<R: Sendable>(
        within limit: TimeLimit, _ operation: @escaping @Sendable () async throws -> R
    ) async throws -> R {
        let task = Task { try await operation() }
        return try await limit.during(task.cancel) { try await task.value }
    }

    @Test func whatEndsInTimeIsHandedOn() async throws {
        let limit = TimeLimit(seconds: 3600)
        #expect(try await Self.run(within: limit) { 7 } == 7)
        await #expect(throws: Refused.self) { try await Self.run(within: limit) { throw Refused() } }
    }

    /// Calls one after the other and all at once. The timer starts again after a time without calls.
    @Test(.timeLimit(.minutes(1))) func eachIsCutShort() async throws {
        let limit = TimeLimit(seconds: 0.05)
        for _ in 0..<3 {
            await withTaskGroup { group in
                for _ in 0..<10 {
                    group.addTask {
                        await #expect(throws: Overdue.self) { try await Self.run(within: limit, Self.never) }
                    }
                }
            }
        }
    }

    @Test func whatLooksDoneWhenItWasCutShortIsOverdue() async throws {
        let limit = TimeLimit(seconds: 0.05)
        await #expect(throws: Overdue.self) { try await Self.run(within: limit) { try? await Self.never() } }
    }

    @Test(.timeLimit(.minutes(1))) func theCallerMayGiveUpBefore() async throws {
        let limit = TimeLimit(seconds: 3600)
        let task = Task { try await Self.run(within: limit, Self.never) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
