import Hummingbird

/// The server's knowledge of a request, besides its content.
struct BankContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Whether the caller is on this machine.
    let isFromLoopback: Bool

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        let address = source.channel.remoteAddress?.ipAddress ?? ""
        isFromLoopback = address.hasPrefix("127.") || address == "::1" || address.hasPrefix("::ffff:127.")
    }
}
