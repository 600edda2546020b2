internal import Glibc

/// Reports the agent's state to the service manager (sd_notify(3)). Does nothing without a manager, or when it cannot
/// be reached.
package struct ServiceManager: Sendable {
    private let address: String?

    /// `NOTIFY_SOCKET` is an absolute path, or a name in the abstract namespace behind an `@`.
    package init(environment: [String: String]) {
        address = environment["NOTIFY_SOCKET"].flatMap { address in
            (address.hasPrefix("/") || address.hasPrefix("@")) && UnixAddress.fits(address) ? address : nil
        }
    }

    /// The agent answers from now on.
    package func ready() { tell("READY=1") }

    /// The agent is about to end.
    package func stopping() { tell("STOPPING=1") }

    private func tell(_ state: String) {
        guard let address, let socket = UnixSocket(SOCK_DGRAM) else { return }
        // A manager that does not read delays the agent for a short time only.
        socket.limitWriting(toSeconds: 2)
        let bytes = Array(state.utf8)
        UnixAddress.with(address, abstract: true) { address, length in
            // Bytes and address live through the call, and their own lengths are given.
            while sendto(socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, length) < 0,
                errno == EINTR
            {}
        }
    }
}
