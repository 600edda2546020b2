import ApprovalModel

/// An address that a person pasted.
enum PastedAddress {
    /// The address without the characters that copying added to it. Returns the text itself if it is not an address in one line.
    static func mended(_ text: String) -> String { (try? LinkText(text)).map { String($0.text) } ?? text }
}
