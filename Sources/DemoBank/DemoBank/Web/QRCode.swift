import CQREncode

/// A text as a QR code: drawn as inline SVG, or with characters.
struct QRCode {
    /// Modules of each side, without the quiet zone.
    private let width: Int
    /// Row by row: whether a module is dark.
    private let isDark: [Bool]
    /// The light margin that a reader needs, in modules (ISO/IEC 18004).
    private static let margin = 4

    /// `nil` when the text does not fit into any QR code.
    init?(_ text: String) {
        // The library copies the text before it returns. We own the returned code, and free it.
        guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else { return nil }
        defer { QRcode_free(code) }
        width = Int(code.pointee.width)
        guard let modules = code.pointee.data else { return nil }
        // The array has width * width bytes (qrencode.h); the lowest bit of each says whether the module is dark.
        isDark = (0..<width * width).map { modules[$0] & 1 == 1 }
    }

    /// Whether a module is dark, with coordinates that count the margin; the margin is light.
    private func isDark(_ x: Int, _ y: Int) -> Bool {
        let (x, y) = (x - Self.margin, y - Self.margin)
        return (0..<width).contains(x) && (0..<width).contains(y) && isDark[y * width + x]
    }

    private var size: Int { width + 2 * Self.margin }

    func svg(label: String) -> HTML {
        var path = ""
        for y in 0..<size {
            for x in 0..<size where isDark(x, y) { path += "M\(x) \(y)h1v1h-1z" }
        }
        return """
            <div class="qr"><svg viewBox="0 0 \(size) \(size)" role="img" aria-label="\(label)" \
            shape-rendering="crispEdges"><path d="\(path)" fill="#000"/></svg></div>
            """
    }

    /// The code for a terminal. Each character shows two modules, one above the other, with the light ones filled. QR
    /// readers accept this on dark and on light terminals.
    var text: String {
        stride(from: 0, to: size, by: 2).map { y in
            (0..<size).map { x in
                switch (isDark(x, y), y + 1 >= size || isDark(x, y + 1)) {
                case (false, false): "█"
                case (false, true): "▀"
                case (true, false): "▄"
                case (true, true): " "
                }
            }.joined() + "\n"
        }.joined()
    }
}
