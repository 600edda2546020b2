/// Random changes that are the same in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// `text` with a few bytes changed, removed, doubled or replaced by something that is difficult for parsers.
    mutating func mutate(_ text: String) -> String {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &self) {
            let place = Int.random(in: 0...bytes.count, using: &self)
            switch Int.random(in: 0..<5, using: &self) {
            case 0: bytes.insert(UInt8.random(in: 0...255, using: &self), at: place)
            case 1 where place < bytes.count: bytes.remove(at: place)
            case 2 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 3:
                let end = min(bytes.count, place + Int.random(in: 0...16, using: &self))
                bytes.insert(contentsOf: bytes[place..<end], at: place)
            default:
                let traps = [
                    "%", "%00", "&", "=", "?", "#", "/", "//", "@", ":", "[::1]", "\\", "é", "\u{301}", "\u{202e}", "{",
                    "\"", "+",
                ]
                bytes.insert(contentsOf: (traps.randomElement(using: &self) ?? "%").utf8, at: place)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
