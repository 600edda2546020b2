@testable import Display
import Testing

/// Whether a scalar must not be in any output. Written independently of the rules under test.
func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    // Nearly all there is: ASCII that can be seen, and space.
    if scalar.value >= 0x20, scalar.value < 0x7F { return false }
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0xAD, 0x34F, 0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F, 0x200B...0x200F,
        0x2028...0x202F, 0x2060...0x2067, 0x206A...0x206F, 0x20DD...0x20E0, 0x20E2...0x20E4, 0x2800, 0x3000, 0x3164,
        0xD800...0xF8FF,
        0xFE00...0xFE0F, 0xFEFF, 0xFFA0,
        0xFFF0...0xFFFB, 0xFFFE...0xFFFF, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0x10FFFF:
        return true
    default:
        return scalar.properties.generalCategory == .unassigned
    }
}

/// Whether each isolate ends on the line where it begins, before the next one begins.
func hasWholeIsolates(_ text: String) -> Bool {
    var isInside = false
    for scalar in text.unicodeScalars {
        let value = scalar.value
        if value == 0x2068 {
            if isInside { return false }
            isInside = true
        } else if value == 0x2069 {
            if !isInside { return false }
            isInside = false
        } else if value == 0x0A, isInside {
            return false
        }
    }
    return !isInside
}

func expectSafe(_ text: DisplayText, _ source: String, location: SourceLocation = #_sourceLocation) {
    let isSafe =
        hasWholeIsolates(text.line) && hasWholeIsolates(text.block)
        && !text.line.unicodeScalars.contains(where: isForbidden)
        && !text.block.unicodeScalars.contains { $0 != "\n" && isForbidden($0) }
        && !text.line.hasPrefix(" ") && !text.line.hasSuffix(" ")
    #expect(isSafe, "\(source.debugDescription) became \(text.line.debugDescription)", sourceLocation: location)
}

/// Every line fits and begins with the frame.
func expectFramed(_ lines: [String], width: Int, location: SourceLocation = #_sourceLocation) {
    for (index, line) in lines.enumerated() {
        let begins =
            switch index {
            case 0: line == "┌" + String(repeating: "─", count: width - 1)
            case lines.count - 1: line.hasPrefix("└ ") || line == "└" + String(repeating: "─", count: width - 1)
            default: line == "│" || line.hasPrefix("├ ") || line.hasPrefix("│ ")
            }
        let fits =
            TextWidth.columns(line) <= width && hasWholeIsolates(line)
            && !line.unicodeScalars.contains(where: isForbidden)
        #expect(begins && fits, "\(line.debugDescription)", sourceLocation: location)
    }
    #expect(lines.count { $0.hasPrefix("├ ") } == 1, sourceLocation: location)
}

/// SplitMix64, so that a failure can be repeated from its seed.
struct Seeded: RandomNumberGenerator {
    var state: UInt64
    init(_ seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
