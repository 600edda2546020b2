/// A Swift value that is passed through C as user data.
final class Box<Content> {
    private let content: Content

    init(_ content: Content) { self.content = content }

    /// A reference for C to keep. `release` or `take` must end it.
    func retained() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    /// The content of a box that C still refers to. `data` must come from `retained` of the same type.
    static func content(of data: UnsafeMutableRawPointer?) -> Content {
        Unmanaged<Box<Content>>.fromOpaque(data!).takeUnretainedValue().content
    }

    /// Ends C's reference and returns the content: for callbacks that are called once. `data` must come from `retained`
    /// of the same type.
    static func take(_ data: UnsafeMutableRawPointer?) -> Content {
        Unmanaged<Box<Content>>.fromOpaque(data!).takeRetainedValue().content
    }

    /// Ends C's reference. `data` must come from `retained` of the same type, or be null.
    static func release(_ data: UnsafeMutableRawPointer?) {
        guard let data else { return }
        Unmanaged<Box<Content>>.fromOpaque(data).release()
    }
}
