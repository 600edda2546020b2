/// A list of texts in the form of C's `argv` and `environ`.
public enum ArgumentVector {
    /// Runs `body` with a pointer to each text, and null after the last. The pointers are valid during the call.
    public static func with<R>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> R
    ) rethrows -> R {
        var bytes: [CChar] = []
        let starts = texts.map { text in
            defer { bytes += text.utf8CString }
            return bytes.count
        }
        return try bytes.withUnsafeMutableBufferPointer { buffer in
            // Each start lies within the buffer, and the text there ends with a null byte of its own.
            try body(starts.map { start in buffer.baseAddress.map { $0 + start } } + [nil])
        }
    }
}
