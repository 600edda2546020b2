/// A Swift value handed through C as user data.
final class Box<Content> {
    private let content: Content

    init(_ content: Content) { self.content = content }

    /// One reference for C to hold, ended by `release` or `take`.
    func retained() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    /// The content of a box that C still holds: `data` came from `retained` of the same type.
    static func content(of data: UnsafeMutableRawPointer?) -> Content {
        Unmanaged<Box<Content>>.fromOpaque(data!).takeUnretainedValue().content
    }

    /// The content, and the end of C's reference: for callbacks that come once.
    static func take(_ data: UnsafeMutableRawPointer?) -> Content {
        Unmanaged<Box<Content>>.fromOpaque(data!).takeRetainedValue().content
    }

    static func release(_ data: UnsafeMutableRawPointer?) {
        guard let data else { return }
        Unmanaged<Box<Content>>.fromOpaque(data).release()
    }
}
