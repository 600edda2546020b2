import CPicture
import Glibc

/// A text as a QR code, drawn with characters.
struct DrawnCode {
    /// Modules of each side, without the margin.
    private let width: Int
    private let isDark: [Bool]

    /// The light margin that readers need, in modules (ISO/IEC 18004).
    private static let margin = 4

    /// Nil for a text that does not fit into a code, and where the library that makes them is not installed.
    init?(_ text: String) {
        var width = 0
        // The function fills `width`, and gives us as many bytes as its square, which we free.
        guard let modules = cpicture_draw(text, &width) else { return nil }
        defer { free(modules) }
        self.width = width
        isDark = (0..<width * width).map { modules[$0] == 1 }
    }

    /// How many columns it takes.
    var columns: Int { width + 2 * Self.margin }

    /// Each character shows two modules, one above the other; the light ones are filled. Readers take it on dark and light terminals.
    var text: String {
        let glyphs: [Character] = ["█", "▀", "▄", " "]
        return stride(from: 0, to: columns, by: 2).map { y in
            String((0..<columns).map { x in glyphs[(dark(x, y) ? 2 : 0) + (dark(x, y + 1) ? 1 : 0)] })
        }.joined(separator: "\n")
    }

    /// With the margin counted, which is light.
    private func dark(_ x: Int, _ y: Int) -> Bool {
        let (x, y) = (x - Self.margin, y - Self.margin)
        return (0..<width).contains(x) && (0..<width).contains(y) && isDark[y * width + x]
    }
}
