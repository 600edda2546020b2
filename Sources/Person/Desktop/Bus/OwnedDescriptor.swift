import Glibc

/// A file descriptor that is closed with the last reference to this object.
final class OwnedDescriptor: Sendable {
    let number: Int32

    init(owning number: Int32) { self.number = number }
    deinit { close(number) }
}
