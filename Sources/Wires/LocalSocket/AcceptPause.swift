internal import NIOCore

/// Stops accepting for a moment when no connection can be accepted, as when the process has no descriptors left.
///
/// NIO's own `AcceptBackoffHandler` holds back the next read, but the read that failed stays armed, so the connection that
/// still waits wakes the event loop again and again. During the pause callers wait in the socket's queue.
final class AcceptPause: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = Channel
    typealias OutboundIn = Never

    private static let length = TimeAmount.milliseconds(200)
    private var isOn = false

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(error)
        guard error is IOError, !isOn else { return }
        isOn = true
        let channel = context.channel
        // Without autoRead the channel does not listen for connections.
        try? channel.syncOptions?.setOption(.autoRead, value: false)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.length) {
            self.isOn = false
            // Fails if the channel was closed meanwhile.
            try? channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }

    func read(context: ChannelHandlerContext) {
        if !isOn { context.read() }
    }
}
