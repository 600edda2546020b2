package import Glibc

/// The address of a unix socket (unix(7)).
package enum UnixAddress {
    /// The longest path, in bytes, without the null byte that ends it.
    package static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    package static func fits(_ path: String) -> Bool { path.utf8.count <= longestPath && !path.utf8.contains(0) }

    /// Lends the address for the length of one call. A name that starts with `@` is in the abstract namespace when
    /// `abstract` allows that. The path must fit.
    package static func with<R>(
        _ path: String, abstract: Bool = false, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R
    ) -> R {
        precondition(fits(path), "a path that is too long for a unix socket")
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The field is zeroed, has room for the path and for a null byte, and is ours.
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        var length = MemoryLayout<sockaddr_un>.size
        if abstract, path.hasPrefix("@") {
            withUnsafeMutableBytes(of: &address.sun_path) { $0[0] = 0 }
            // An abstract name has exactly the given length, and no null byte at its end.
            length = MemoryLayout<sockaddr_un>.offset(of: \.sun_path).map { $0 + path.utf8.count } ?? length
        }
        // A sockaddr of family AF_UNIX is a sockaddr_un; it lives through the call.
        return withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
        }
    }
}
