/// Two ways to do one thing, timed side by side.
struct Comparison {
    /// Seconds a round, medians.
    var ours: Double
    var yardstick: Double
    /// Ours over the yardstick's, the median of the rounds' own ratios: what disturbs a round disturbs both sides of it.
    var ratio: Double

    /// Many short rounds, the two sides by turns in both orders, after one round that does not count.
    static func run(
        rounds: Int, ours: () async throws -> Void, yardstick: () async throws -> Void
    ) async rethrows -> Comparison {
        var pairs: [(ours: Double, yardstick: Double)] = []
        for round in 0...rounds {
            let pair: (Double, Double)
            if round.isMultiple(of: 2) {
                let first = try await seconds(ours)
                pair = (first, try await seconds(yardstick))
            } else {
                let first = try await seconds(yardstick)
                pair = (try await seconds(ours), first)
            }
            if round > 0 { pairs.append(pair) }
        }
        return Comparison(
            ours: median(pairs.map(\.ours)), yardstick: median(pairs.map(\.yardstick)),
            ratio: median(pairs.map { $0.ours / $0.yardstick }))
    }

    private static func seconds(_ body: () async throws -> Void) async rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try await body()
        let time = (clock.now - start).components
        return Double(time.seconds) + Double(time.attoseconds) / 1e18
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
