import Glibc

/// One printed line: name, value, yardstick's value, ratio, target, and `ok`, `short` or `-`.
struct Figure {
    var name: String
    var value: String
    var yardstick: String
    var ratio: Double
    var target: Target

    enum Target {
        case atLeast(Double)
        case atMost(Double)
        /// The figure is shown, and nothing is demanded of it.
        case free
    }

    /// Operations a second; the ratio is that of the rates.
    static func rates(_ name: String, _ result: Comparison, per count: Int, atLeast target: Double) -> Figure {
        Figure(
            name: name, value: "\(rounded(Double(count) / result.ours, 0)) /s",
            yardstick: "\(rounded(Double(count) / result.yardstick, 0)) /s", ratio: 1 / result.ratio,
            target: .atLeast(target))
    }

    /// Milliseconds; the ratio is that of the times.
    static func times(_ name: String, _ result: Comparison, atMost target: Double) -> Figure {
        Figure(
            name: name, value: "\(rounded(result.ours * 1000, 1)) ms",
            yardstick: "\(rounded(result.yardstick * 1000, 1)) ms", ratio: result.ratio, target: .atMost(target))
    }

    /// Milliseconds of one of `count` operations; the ratio is that of the times.
    static func cost(_ name: String, _ result: Comparison, per count: Int) -> Figure {
        Figure(
            name: name, value: "\(rounded(result.ours * 1000 / Double(count), 2)) ms",
            yardstick: "\(rounded(result.yardstick * 1000 / Double(count), 2)) ms", ratio: result.ratio, target: .free)
    }

    func print() {
        let verdict =
            switch target {
            case .atLeast(let limit): ">= \(limit), \(ratio >= limit ? "ok" : "short")"
            case .atMost(let limit): "<= \(limit), \(ratio <= limit ? "ok" : "short")"
            case .free: "none, -"
            }
        Swift.print("\(name), \(value), \(yardstick), \(Self.rounded(ratio, 3)), \(verdict)")
        // Seen at once, also through a pipe.
        fflush(nil)
    }

    private static func rounded(_ value: Double, _ digits: Int) -> String {
        let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
        let whole = Int((value * Double(scale)).rounded())
        let fraction = String(whole % scale)
        return digits == 0
            ? "\(whole)" : "\(whole / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }
}
