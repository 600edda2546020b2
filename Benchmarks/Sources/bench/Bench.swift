/// The figures that one process can measure, a line each. Usage: `bench HOME PIN SLOWEST`; `bench signatures COUNT BITS`
/// prints the seconds of so many bare signatures by a key of that length, for a figure of another process.
@main
struct Bench {
    static func main() async throws {
        let words = CommandLine.arguments
        if words.count == 4, words[1] == "signatures", let count = Int32(words[2]), let bits = Int(words[3]) {
            return print(try secondsOfSignatures(count, bits: bits))
        }
        guard words.count == 4 else { throw Broken("usage: bench HOME PIN SLOWEST") }
        try await cryptoFigures()
        try await responseFigures()
        let home = try HomeFigures(home: words[1], pin: words[2])
        try await home.pinCheck()
        try await home.renewal()
        try await home.poll(slowest: words[3])
    }
}
