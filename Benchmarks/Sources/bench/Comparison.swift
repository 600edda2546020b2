import Glibc

/// Two ways to do one thing, timed side by side.
struct Comparison {
    enum Time {
        /// On the wall.
        case elapsed
        /// Of this process's processors: what one thread computes, whatever else the machine does.
        case processor
    }

    /// Seconds a round, medians.
    var ours: Double
    var yardstick: Double
    /// Ours over the yardstick's, the median of the rounds' own ratios: what disturbs a round disturbs both sides of it.
    var ratio: Double

    /// Many short rounds, the two sides by turns in both orders, after one round that does not count.
    static func run(
        rounds: Int, in time: Time, ours: () async throws -> Void, yardstick: () async throws -> Void
    ) async rethrows -> Comparison {
        var pairs: [(ours: Double, yardstick: Double)] = []
        for round in 0...rounds {
            let pair: (Double, Double)
            if round.isMultiple(of: 2) {
                let first = try await seconds(time, ours)
                pair = (first, try await seconds(time, yardstick))
            } else {
                let first = try await seconds(time, yardstick)
                pair = (try await seconds(time, ours), first)
            }
            if round > 0 { pairs.append(pair) }
        }
        return Comparison(
            ours: median(pairs.map(\.ours)), yardstick: median(pairs.map(\.yardstick)),
            ratio: median(pairs.map { $0.ours / $0.yardstick }))
    }

    static func seconds(_ time: Time, _ body: () throws -> Void) rethrows -> Double {
        let start = now(time)
        try body()
        return now(time) - start
    }

    private static func seconds(_ time: Time, _ body: () async throws -> Void) async rethrows -> Double {
        let start = now(time)
        try await body()
        return now(time) - start
    }

    private static func now(_ time: Time) -> Double {
        var now = timespec()
        // Both clocks are always there on Linux.
        clock_gettime(time == .elapsed ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
