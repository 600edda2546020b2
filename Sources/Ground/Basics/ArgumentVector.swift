/// A list of texts in the form of C's `argv` and `environ`.
package enum ArgumentVector {
    /// Runs `body` with a pointer to each text, and null after the last. The pointers are valid during the call.
    package static func with<R>(
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

    /// The argument as other people may see it. A link, or an address that a page led back to, holds a secret, however it is written; `LINK`
    /// takes its place.
    package static func shown(_ argument: String) -> String { mayBeLink(argument) ? link : argument }

    /// Whether an argument may be a link or a part of one. An argument without a secret may look like one, too.
    package static func mayBeLink(_ argument: String) -> Bool {
        argument.contains("://") || argument.contains("?") || argument.lowercased().contains("%3a%2f")
    }

    /// The word in the place of a link.
    package static let link = "LINK"
}
