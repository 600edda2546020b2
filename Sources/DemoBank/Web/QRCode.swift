import CQREncode

/// A text as a QR code, drawn as inline SVG.
enum QRCode {
    /// `nil` when the text does not fit into any QR code.
    static func svg(_ text: String, label: String) -> HTML? {
        // The library copies the text before it returns; what it returns is ours to free.
        guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard let modules = code.pointee.data else { return nil }

        // The array has width * width bytes (qrencode.h); the lowest bit of each says whether the module is dark.
        var path = ""
        for y in 0..<width {
            for x in 0..<width where modules[y * width + x] & 1 == 1 { path += "M\(x + 4) \(y + 4)h1v1h-1z" }
        }
        let size = width + 8
        return """
            <div class="qr"><svg viewBox="0 0 \(size) \(size)" role="img" aria-label="\(label)" \
            shape-rendering="crispEdges"><path d="\(path)" fill="#000"/></svg></div>
            """
    }
}
