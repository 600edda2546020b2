import Glibc

/// A file descriptor that is closed at the end of its life.
final class OwnedDescriptor: Sendable {
    let number: Int32

    init(owning number: Int32) { self.number = number }
    deinit { close(number) }
}
