import Basics
import HummingbirdCore
import Logging
import NIOCore

/// HTTP/1.1 for programs of this user alone. Never answers another user's program: any local user can learn the address, and could
/// lead their own browser to it, with a code of their own account.
struct LoopbackChannel: ServerChildChannel {
    private let http: HTTP1Channel
    private let owner: ConnectionOwner

    init(_ responder: @escaping HTTPChannelHandler.Responder, owner: ConnectionOwner, idleness: Duration) {
        http = HTTP1Channel(responder: responder, configuration: .init(idleTimeout: TimeAmount(idleness)))
        self.owner = owner
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        http.setup(channel: channel, logger: logger)
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        guard await isOurs(value.channel) else {
            try? await value.executeThenClose { _, _ in }
            return
        }
        await http.handle(value: value, logger: logger)
    }

    private func isOurs(_ channel: any Channel) async -> Bool {
        guard let client = channel.remoteAddress, let server = channel.localAddress else { return false }
        return (try? await blocking { owner.isOurs(client: client, server: server) }) ?? false
    }
}
