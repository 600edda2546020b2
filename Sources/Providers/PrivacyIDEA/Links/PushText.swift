/// The rules for values that are joined by bars into a signed text.
enum PushText {
    /// 1 to 128 printable ASCII characters without `|`.
    static func isPlain(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "|") }
    }
}
